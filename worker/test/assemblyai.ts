/** A stand-in for AssemblyAI's streaming recognition, made from the types of its SDK. */
import type { BeginEvent, StreamingOperationMessage, TerminationEvent, TurnEvent } from 'assemblyai/streaming';
import type { WebSocket } from 'ws';
import { type Certificate, startStandIn } from './stand-in.ts';

/** Bytes of a second of sound. */
const SECOND = 2 * 16_000;

/** A turn in which these words were said; the last one is not certain before its end. */
export function turn(order: number, text: string, isOver: boolean): TurnEvent {
  const said = text.split(' ');
  const words = said.map((word, index) => ({
    text: word,
    start: index * 300,
    end: index * 300 + 250,
    confidence: 0.9,
    word_is_final: isOver || index < said.length - 1,
  }));
  const certain = words.filter(({ word_is_final }) => word_is_final).map((word) => word.text);
  return {
    type: 'Turn',
    turn_order: order,
    turn_is_formatted: false,
    end_of_turn: isOver,
    transcript: certain.join(' '),
    end_of_turn_confidence: isOver ? 0.8 : 0.1,
    words,
  };
}

interface Behavior {
  /** The status with which connections are refused. */
  refuses?: () => number | null;
  /** Called with each message after the session has begun, and the seconds of sound so far. */
  hears?: (socket: WebSocket, message: StreamingOperationMessage | Buffer, seconds: number) => void;
  /** Called in place of the beginning of a session. */
  begins?: (socket: WebSocket) => void;
}

export const tell = (socket: WebSocket, event: object) => socket.send(JSON.stringify(event));

export async function startAssemblyAi(certificate: Certificate, { refuses, hears, begins }: Behavior = {}) {
  const sent: (StreamingOperationMessage | number)[] = [];
  const standIn = await startStandIn(
    {
      ...(refuses && { refuses }),
      socket: (socket) => {
        if (begins) return begins(socket);
        const begin: BeginEvent = { type: 'Begin', id: 'a-session', expires_at: 1_790_000_000 };
        tell(socket, begin);
        let bytes = 0;
        socket.on('message', (data: Buffer, isBinary) => {
          const message: StreamingOperationMessage | Buffer = isBinary ? data : JSON.parse(String(data));
          sent.push(Buffer.isBuffer(message) ? message.length : message);
          if (isBinary) bytes += data.length;
          hears?.(socket, message, bytes / SECOND);
          if (Buffer.isBuffer(message) || message.type !== 'Terminate') return;
          const [audio_duration_seconds, session_duration_seconds] = [bytes / SECOND, bytes / SECOND];
          const end: TerminationEvent = { type: 'Termination', audio_duration_seconds, session_duration_seconds };
          tell(socket, end);
          socket.close(1000);
        });
      },
    },
    certificate,
  );
  return { ...standIn, sent };
}

import type { AgentDraft } from '@switchboard/client';
import { useVariables } from '../../../data/agents.ts';
import { toVariables } from '../../../data/calls.ts';
import { needsNewChat, nextStep } from '../../../data/chat-lines.ts';
import { useIsSandbox } from '../../../data/service.ts';
import { Button } from '../../../ui/button.tsx';
import { messageOf } from '../../../ui/failure.tsx';
import { MakeTest } from '../../tests/make-test.tsx';
import { VariableFields } from '../variable-fields.tsx';
import { Conversation } from './conversation.tsx';
import { MessageBox } from './message-box.tsx';
import type { useDraftChat } from './use-draft-chat.ts';

export interface ChatProps {
  held: ReturnType<typeof useDraftChat>;
  stored: AgentDraft;
  isActive: boolean;
  values: Record<string, string>;
  onValues: (values: Record<string, string>) => void;
}

/** The messages, what is to be known about them, and the box for the next one. */
export function ChatBody({ held, stored, isActive, values, onValues }: ChatProps) {
  const { chat, state, isChanged } = held;
  const isSandbox = useIsSandbox();
  const names = useVariables(stored.config);
  const isSimulated = state.chat?.is_simulated ?? isSandbox;
  const send = () => void chat.send(toVariables(values));
  return (
    <>
      {isSimulated && (
        <p className="muted small">
          <strong>Simulated.</strong> In the sandbox, rules answer from the prompt, and no tool is really called.
        </p>
      )}
      <Conversation
        state={state}
        isSimulated={isSimulated}
        isChanged={isChanged}
        onRewind={(index) => void chat.rewind(index)}
      >
        {state.chat ? (
          <Given variables={toVariables(values)} />
        ) : (
          <div className="chat-begin">
            <p className="muted">Try the draft as it is now: write what a caller would say.</p>
            <VariableFields names={names} values={values} onChange={onValues} />
          </div>
        )}
      </Conversation>
      {isChanged && (
        <div className="notice" role="status">
          <p>The draft has changed since this chat began.</p>
          <Button
            needs="forkChat"
            isBusy={state.doing === 'changing'}
            disabled={state.doing !== null}
            onClick={() => void chat.goOnWithDraft()}
          >
            Go on with the changed draft
          </Button>
        </div>
      )}
      <TestOfChat state={state} />
      <ChatProblem error={state.error} onStartOver={chat.leave} />
      {!isActive && <p className="problem">Switch on “Accepts and places calls” under General to chat.</p>}
      <MessageBox state={state} isActive={isActive} onType={chat.type} onSend={send} onStartOver={chat.leave} />
    </>
  );
}

/** Once somebody has got an answer. */
function TestOfChat({ state: { chat, lines, doing } }: Pick<ChatProps['held'], 'state'>) {
  if (!chat || lines.length < 2) return null;
  return (
    <div className="actions">
      <MakeTest callId={chat.chat_id} isDisabled={doing !== null} />
    </div>
  );
}

/** The variables that the chat began with, and keeps. */
function Given({ variables }: { variables: Record<string, string> }) {
  const given = Object.entries(variables);
  if (given.length === 0) return null;
  return <p className="muted small anywhere">{given.map(([name, value]) => `${name}: ${value}`).join(' · ')}</p>;
}

function ChatProblem({ error, onStartOver }: { error: unknown; onStartOver: () => void }) {
  if (!error) return null;
  return (
    <div className="chat-problem" role="alert">
      <p className="problem">{messageOf(error)}</p>
      <p>{nextStep(error)}</p>
      {needsNewChat(error) && <Button onClick={onStartOver}>Start over</Button>}
    </div>
  );
}

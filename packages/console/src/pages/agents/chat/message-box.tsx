import type { KeyboardEvent } from 'react';
import type { ChatState } from '../../../data/draft-chat.ts';
import { Button } from '../../../ui/button.tsx';

/** The longest message that the service takes. */
const MAX_CONTENT = 8_000;

const STATES: Record<NonNullable<ChatState['doing']>, string> = {
  saving: 'Waiting until the draft is saved…',
  sending: 'Sending…',
  answering: 'The agent answers…',
  rewinding: 'Rewinding…',
  changing: 'Going on with the changed draft…',
};

interface Props {
  state: ChatState;
  isActive: boolean;
  onType: (text: string) => void;
  onSend: () => void;
  onStartOver: () => void;
}

/** The box for the next message. Enter sends it, Shift and Enter begin another line. */
export function MessageBox({ state, isActive, onType, onSend, onStartOver }: Props) {
  const { text, doing, chat } = state;
  const isSendable = isActive && doing === null && text.trim() !== '';
  const press = (event: KeyboardEvent) => {
    // Enter also chooses a word of an input method, which sends nothing.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (isSendable) onSend();
  };
  return (
    <div className="message-box">
      <textarea
        aria-label="Message"
        placeholder="Write a message"
        className="growing"
        rows={2}
        maxLength={MAX_CONTENT}
        value={text}
        readOnly={doing === 'saving' || doing === 'sending'}
        onChange={({ target }) => onType(target.value)}
        onKeyDown={press}
      />
      <div className="message-actions">
        <p className="muted small" role="status" aria-label="State of the chat">
          {doing ? STATES[doing] : !chat && 'Enter sends, Shift+Enter: a new line'}
        </p>
        {chat && <Button onClick={onStartOver}>Start over</Button>}
        <Button needs="sendChatMessage" kind="primary" disabled={!isSendable} onClick={onSend}>
          Send
        </Button>
      </div>
    </div>
  );
}

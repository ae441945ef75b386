import { type ReactNode, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useMay } from '../../../ui/permission.ts';
import { ChatBody, type ChatProps } from './chat-body.tsx';

const TITLE = 'Chat with the draft';

/** A panel at the side of what is edited, if there is room for it and the user may chat. */
export function BesideChat({ isWide, children, ...chat }: ChatProps & { isWide: boolean; children: ReactNode }) {
  const isShown = useMay('startChat') && isWide;
  return (
    <div className={isShown ? 'beside-chat' : undefined}>
      <div className="agent-views">{children}</div>
      {isShown && (
        <aside className="draft-chat" aria-label={TITLE}>
          <h2>{TITLE}</h2>
          <ChatBody {...chat} />
        </aside>
      )}
    </div>
  );
}

/** Opens the same as a dialog. */
export function ChatButton(props: ChatProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button needs="startChat" onClick={() => setOpen(true)}>
        Chat
      </Button>
      <Dialog title={TITLE} isOpen={isOpen} onClose={() => setOpen(false)}>
        <div className="draft-chat">
          <ChatBody {...props} />
        </div>
      </Dialog>
    </>
  );
}

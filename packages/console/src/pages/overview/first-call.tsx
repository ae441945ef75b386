import type { Agent } from '@switchboard/client';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { CallMe } from '../agents/call-me.tsx';

/** The step between creating the first agent and making the first call. */
export function FirstCall({ agent }: { agent: Agent }) {
  const [isCalling, setCalling] = useState(false);
  return (
    <Empty title="Make the first call" text={`${agent.name} is ready. Have it call you, and watch the call.`}>
      <Button needs="startOutboundCall" kind="primary" icon="phone" onClick={() => setCalling(true)}>
        Call me
      </Button>
      {isCalling && <CallMe agent={agent} onClose={() => setCalling(false)} />}
    </Empty>
  );
}

import { type ChangeEvent, useRef, useState } from 'react';
import { type AgentFile, readAgentFile } from '../../data/agent-file.ts';
import { Button } from '../../ui/button.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Problem } from '../../ui/problem.tsx';

/** Takes over an agent from a file that was exported before. */
export function ImportAgent({ onImport, isBusy }: { onImport: (agent: AgentFile) => void; isBusy: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // The same file can be chosen again once it is mended.
    const text = await file?.text();
    target.value = '';
    if (text === undefined) return;
    try {
      setProblem(null);
      onImport(readAgentFile(text));
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <>
      <Button icon="up" isBusy={isBusy} onClick={() => input.current?.click()}>
        Import a file
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="File of an agent"
        onChange={read}
      />
      <Problem>{problem}</Problem>
    </>
  );
}

import { type AgentDraft, type Chat, type ChatEvent, type Switchboard, SwitchboardError } from '@switchboard/client';
import { answerAfter, type ChatLine, NO_ANSWER, type PartialAnswer, putBack } from './chat-lines.ts';

export interface ChatState {
  chat: Chat | null;
  /** The draft that answers. */
  begunWith: AgentDraft | null;
  lines: ChatLine[];
  /** Numbers of lines after which a changed draft went on. */
  changedAfter: number[];
  /** The answer while it comes. */
  answer: PartialAnswer | null;
  /** Text in the message box. A message stays there until the service has it. */
  text: string;
  doing: 'saving' | 'sending' | 'answering' | 'rewinding' | 'changing' | null;
  error: unknown;
}

interface Deps {
  agentId: string;
  api: Pick<Switchboard, 'chats' | 'sessions'>;
  /** Ends a chat, also while the page is being left. */
  end: (chatId: string) => Promise<unknown>;
  /** Resolves with the draft once it is saved, and rejects if it cannot be. */
  whenSaved: () => Promise<AgentDraft>;
  /** An unsent message of an earlier visit. */
  text: string;
  keepText: (text: string) => void;
}

const NEW = { chat: null, begunWith: null, lines: [], changedAfter: [], answer: null, doing: null, error: null };

/** A chat with the draft of an agent, for one visit of its page. */
export function createDraftChat({ agentId, api, end, whenSaved, text, keepText }: Deps) {
  let state: ChatState = { ...NEW, text };
  let leaving = new AbortController();
  /** Whether the service may have a message that is not shown, because it has no answer. */
  let hasRest = false;
  const listeners = new Set<() => void>();

  function set(change: Partial<ChatState>): void {
    if (change.text !== undefined) keepText(change.text);
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  // A chat that nobody sees any more ends by itself after a day, if this fails.
  const endQuietly = (chatId: string) => void end(chatId).catch(() => {});

  /** Does one thing at a time, and shows why it failed. */
  async function attempt(doing: ChatState['doing'], work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (state.doing) return;
    const { signal } = leaving;
    set({ doing, error: null });
    try {
      await work(signal);
      if (!signal.aborted) set({ doing: null });
    } catch (error) {
      if (!signal.aborted) set({ doing: null, answer: null, error });
    }
  }

  /** Takes a new chat, unless the page has been left meanwhile. */
  function take(chat: Chat, begunWith: AgentDraft, signal: AbortSignal): void {
    if (signal.aborted) {
      endQuietly(chat.chat_id);
      signal.throwIfAborted();
    }
    hasRest = false;
    set({ chat, begunWith });
  }

  async function open(variables: Record<string, string>, signal: AbortSignal): Promise<Chat> {
    const draft = await whenSaved();
    signal.throwIfAborted();
    const chat = await api.chats.start({ agent_id: agentId, agent_version: 'draft', variables });
    take(chat, draft, signal);
    return chat;
  }

  async function rewindTo(chat: Chat, lines: ChatLine[]): Promise<void> {
    await api.chats.rewind(chat.chat_id, { to_message: lines.at(-1)?.id ?? null });
    hasRest = false;
  }

  function show(event: ChatEvent, content: string): void {
    const { lines, answer } = state;
    if (event.event === 'sent') {
      hasRest = true;
      const line = { id: event.data.message_id, speaker: 'USER' as const, content, tools: [], failovers: [] };
      set({ lines: [...lines, line], answer: NO_ANSWER, text: '', doing: 'answering' });
    } else if (event.event === 'message') {
      hasRest = false;
      const { message_id: id, content: said, tool_calls: tools } = event.data;
      const { failovers } = answer ?? NO_ANSWER;
      set({ lines: [...lines, { id, speaker: 'AGENT', content: said, tools, failovers }], answer: null });
    } else if (event.event === 'failed') {
      throw new SwitchboardError(event.data.code as SwitchboardError['code'], event.data.detail);
    } else set({ answer: answerAfter(answer ?? NO_ANSWER, event) });
  }

  async function stream({ chat_id }: Chat, content: string, signal: AbortSignal): Promise<void> {
    const { lines } = state;
    try {
      for await (const event of api.chats.stream(chat_id, { content }, { signal })) {
        signal.throwIfAborted();
        show(event, content);
      }
    } catch (error) {
      // A stream that broke off may have sent the message before it could say so.
      if (error instanceof SwitchboardError && error.status === null) hasRest = true;
      if (!signal.aborted) set({ lines, text: putBack(content, state.text) });
      throw error;
    }
  }

  /** Sends the text of the message box; the first one begins the chat, with these variables. */
  const send = (variables: Record<string, string>) => {
    const content = state.text.trim();
    if (content === '') return Promise.resolve();
    return attempt(state.chat ? 'sending' : 'saving', async (signal) => {
      const chat = state.chat ?? (await open(variables, signal));
      if (hasRest) await rewindTo(chat, state.lines);
      await stream(chat, content, signal);
    });
  };

  const actions = createActions({ api, whenSaved, endQuietly, attempt, take, rewindTo, set, current: () => state });

  /** Ends the chat. The text in the message box stays. */
  const leave = () => {
    leaving.abort();
    leaving = new AbortController();
    if (state.chat) endQuietly(state.chat.chat_id);
    hasRest = false;
    set(NEW);
  };

  return {
    ...actions,
    send,
    leave,
    type: (typed: string) => set({ text: typed }),
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

interface Inside extends Pick<Deps, 'api' | 'whenSaved'> {
  endQuietly: (chatId: string) => void;
  attempt: (doing: ChatState['doing'], work: (signal: AbortSignal) => Promise<void>) => Promise<void>;
  take: (chat: Chat, begunWith: AgentDraft, signal: AbortSignal) => void;
  rewindTo: (chat: Chat, lines: ChatLine[]) => Promise<void>;
  set: (change: Partial<ChatState>) => void;
  current: () => ChatState;
}

/** Changes of a chat that has begun. */
function createActions({ api, whenSaved, endQuietly, attempt, take, rewindTo, set, current }: Inside) {
  /**
   * Deletes what follows an answer; or one of the user's messages and what follows, and puts its text back into the
   * message box.
   */
  const rewind = (index: number) =>
    attempt('rewinding', async (signal) => {
      const { chat, lines, changedAfter, text } = current();
      const line = lines[index];
      if (!chat || !line) return;
      const isAnswer = line.speaker === 'AGENT';
      const kept = lines.slice(0, isAnswer ? index + 1 : index);
      await rewindTo(chat, kept);
      signal.throwIfAborted();
      const changes = changedAfter.filter((at) => at <= kept.length);
      set({ lines: kept, changedAfter: changes, ...(!isAnswer && { text: putBack(line.content, text) }) });
    });

  /** Goes on in another chat with the same messages, which the draft answers as it is now. */
  const goOnWithDraft = () =>
    attempt('changing', async (signal) => {
      const draft = await whenSaved();
      const { chat: before, lines, changedAfter } = current();
      if (!before || signal.aborted) return;
      const to_message = lines.at(-1)?.id ?? null;
      const chat = await api.chats.fork(before.chat_id, { to_message, agent_version: 'draft' });
      // The copies of the messages have ids of their own.
      const ids = await idsOf(chat.chat_id).catch((error: unknown) => {
        endQuietly(chat.chat_id);
        throw error;
      });
      take(chat, draft, signal);
      endQuietly(before.chat_id);
      const copies = lines.map((line, index) => ({ ...line, id: ids[index] ?? line.id }));
      set({ lines: copies, changedAfter: [...new Set([...changedAfter, lines.length])] });
    });

  async function idsOf(chatId: string): Promise<string[]> {
    const ids: string[] = [];
    for await (const { id } of api.sessions.transcripts(chatId)) ids.push(id);
    return ids;
  }

  return { rewind, goOnWithDraft };
}

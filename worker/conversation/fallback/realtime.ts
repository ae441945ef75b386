import { APITimeoutError, llm } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { type Answer, createAnswers } from './answers.ts';
import { addSaid, errorEvent, goOn, withStatus } from './handing-over.ts';
import { createOrder, type Policy } from './order.ts';
import { Unanswered } from './unanswered.ts';

/** Events of a session that are passed on as they are. */
const PASSED = ['input_speech_stopped', 'session_reconnected'];
/** Failures of one answer, in version 1.8.1 of OpenAI's plugin: it would go on with the next question. */
const ANSWER_FAILED = /response failed/i;

/**
 * Speech-to-speech models of which the next one goes on with the conversation when one fails: it gets what was said so
 * far, and completes an answer that broke off. The library has no adapter for them.
 */
export class FallbackRealtime extends llm.RealtimeModel {
  readonly order: ReturnType<typeof createOrder<llm.RealtimeModel>>;
  readonly firstTokenMs: number;
  readonly #models: readonly llm.RealtimeModel[];
  #working: llm.RealtimeModel;

  constructor(models: readonly [llm.RealtimeModel, ...llm.RealtimeModel[]], policy: Policy) {
    super(models[0].capabilities);
    this.order = createOrder(models, policy);
    this.firstTokenMs = policy.firstTokenMs;
    this.#models = models;
    this.#working = models[0];
  }

  /** Those of the model that works now. */
  override get capabilities(): llm.RealtimeCapabilities {
    return this.#working.capabilities;
  }

  override get model(): string {
    return this.#working.model;
  }

  override get provider(): string {
    return this.#working.provider;
  }

  override label(): string {
    return 'switchboard.FallbackRealtime';
  }

  worksWith(model: llm.RealtimeModel): void {
    this.#working = model;
  }

  override session(): llm.RealtimeSession {
    return new FallbackConversation(this);
  }

  override async close(): Promise<void> {
    await Promise.all(this.#models.map((model) => model.close()));
  }
}

/** A request for an answer that has not begun. */
interface Reply {
  instructions: string | undefined;
  options: { signal?: AbortSignal };
  resolve(created: llm.GenerationCreatedEvent): void;
  reject(error: unknown): void;
}

class FallbackConversation extends llm.RealtimeSession {
  readonly #model: FallbackRealtime;
  /** Null from a failure until the next model takes over. */
  #session: llm.RealtimeSession | null = null;
  #fail: (error: unknown) => void = () => {};
  #instructions: string | undefined;
  #tools = llm.ToolContext.empty();
  #chatCtx = llm.ChatContext.empty();
  /** A conversation that the model does not have yet. */
  #wanted: llm.ChatContext | null = null;
  #toolChoice: { toolChoice?: llm.ToolChoice | null } | null = null;
  readonly #replies = new Set<Reply>();
  readonly #answers: ReturnType<typeof createAnswers>;
  readonly #unanswered = new Unanswered();
  /** Answer that broke off. */
  #cut: Answer | null = null;
  readonly #closed = Promise.withResolvers<void>();

  constructor(model: FallbackRealtime) {
    super(model);
    this.#model = model;
    this.#answers = createAnswers({
      withinMs: model.firstTokenMs,
      stalled: (error) => this.#fail(error),
      begun: () => this.#unanswered.answered(),
    });
    this.#run().catch(() => {});
  }

  async #run(): Promise<void> {
    try {
      let isFirst = true;
      await this.#model.order.each((model) => {
        const done = this.#converse(model, isFirst);
        isFirst = false;
        return done;
      });
    } catch (error) {
      for (const { reject } of this.#replies) reject(error);
      this.emit('error', errorEvent(error));
    }
  }

  /** Resolves once this session is closed; rejects when the model fails. */
  async #converse(model: llm.RealtimeModel, isFirst: boolean): Promise<void> {
    const { promise: failed, reject } = Promise.withResolvers<never>();
    const session = model.session();
    this.#model.worksWith(model);
    this.#session = session;
    this.#fail = (error) => {
      if (this.#session !== session) return;
      // Before the plugin closes the streams of the answer, as if it had ended.
      this.#cut = this.#answers.cut();
      this.#chatCtx = (this.#wanted ?? session.chatCtx).copy();
      this.#session = null;
      reject(withStatus(error));
    };
    this.#listen(session, model);
    try {
      const begun = isFirst ? Promise.resolve() : this.#takeOver(session);
      begun.catch(this.#fail);
      await Promise.race([failed, this.#closed.promise]);
    } finally {
      session.close().catch(() => {});
      // The plugin of OpenAI looks whether it is closed only when it sends something.
      session.clearAudio().catch(() => {});
    }
  }

  #listen(session: llm.RealtimeSession, model: llm.RealtimeModel): void {
    const isWorking = () => this.#session === session;
    for (const name of PASSED) session.on(name, (event) => isWorking() && this.emit(name, event));
    session.on('input_speech_started', (event) => {
      if (!isWorking()) return;
      this.#unanswered.begin();
      this.emit('input_speech_started', event);
    });
    session.on('input_audio_transcription_completed', (event: llm.InputTranscriptionCompleted) => {
      // Google's plugin tells what the caller said once the answer has ended, or the connection.
      if (!isWorking()) this.#addHeard(event);
      // Words that were heard twice were said once.
      else if (!event.isFinal || !this.#unanswered.isRepeated())
        this.emit('input_audio_transcription_completed', event);
    });
    session.on('generation_created', (created: llm.GenerationCreatedEvent) => {
      // Those that were asked for come with the answer to that.
      if (isWorking() && !created.userInitiated) this.emit('generation_created', this.#answers.follow(created));
    });
    // OpenAI's plugin gives the call of a tool only once it is whole.
    session.on('openai_server_event_received', ({ type }: { type: string }) => {
      if (isWorking() && type === 'response.function_call_arguments.delta') this.#answers.progress();
    });
    // Usage is booked to the model that had it, also when that has failed.
    const metadata = { modelProvider: model.provider, modelName: model.model };
    session.on('metrics_collected', (metrics) => this.emit('metrics_collected', { metadata, ...metrics }));
    session.on('error', (event: llm.RealtimeModelError) => {
      if (!event.recoverable || ANSWER_FAILED.test(event.error.message)) this.#fail(event.error);
      else if (isWorking()) this.emit('error', event);
    });
  }

  #addHeard(event: llm.InputTranscriptionCompleted): void {
    if (!event.isFinal || this.#session !== null) return;
    this.#unanswered.markHandedOver();
    this.#chatCtx.addMessage({ role: 'user', content: event.transcript });
    this.emit('input_audio_transcription_completed', event);
  }

  /** Tells a model what it has to know, and has it do what the failed one left. */
  async #takeOver(session: llm.RealtimeSession): Promise<void> {
    const cut = this.#cut;
    this.#cut = null;
    const isLost = cut?.said === '' && cut.asked === undefined;
    const repeats = this.#unanswered.repeats && (cut === null || isLost);
    const context = this.#chatCtx.copy({ excludeInstructions: true, excludeHandoff: true, excludeEmptyMessage: true });
    if (repeats) this.#unanswered.forget(context);
    if (cut?.said && context.items.at(-1)?.type !== 'function_call') addSaid(context, cut.said);
    await session._updateSession(this.#instructions, context, this.#tools);
    if (this.#session !== session) return;
    if (this.#toolChoice) session.updateOptions(this.#toolChoice);
    for (const frame of this.#unanswered.take(repeats)) session.pushAudio(frame);
    for (const reply of this.#replies) this.#ask(reply, session);
    if (cut === null || repeats) return;
    const instructions = cut.said === '' ? cut.asked : goOn(cut.said, cut.asked);
    const created = await this.#within(session.generateReply(instructions));
    if (this.#session === session)
      this.emit('generation_created', { ...this.#answers.follow(created, instructions), userInitiated: false });
  }

  /** Counts a model as failed that does not begin in time. */
  async #within<T>(begun: Promise<T>): Promise<T> {
    const fail = this.#fail;
    const ms = this.#model.firstTokenMs;
    const late = () => fail(new APITimeoutError({ message: `no answer for ${ms} ms` }));
    const timer = setTimeout(late, ms);
    try {
      return await begun;
    } finally {
      clearTimeout(timer);
    }
  }

  #ask(reply: Reply, session: llm.RealtimeSession): void {
    this.#within(session.generateReply(reply.instructions, reply.options)).then(
      (created) => {
        if (this.#session !== session || !this.#replies.delete(reply)) return;
        reply.resolve(this.#answers.follow(created, reply.instructions));
      },
      (error: unknown) => {
        // That of a model which has failed is asked of the next one.
        if (this.#session !== session || !this.#replies.delete(reply)) return;
        reply.reject(error);
      },
    );
  }

  override get chatCtx(): llm.ChatContext {
    return this.#session?.chatCtx ?? this.#chatCtx;
  }

  override get tools(): llm.ToolContext {
    return this.#session?.tools ?? this.#tools;
  }

  override async updateInstructions(instructions: string): Promise<void> {
    this.#instructions = instructions;
    await this.#session?.updateInstructions(instructions);
  }

  override async updateChatCtx(chatCtx: llm.ChatContext): Promise<void> {
    this.#wanted = chatCtx;
    this.#chatCtx = chatCtx;
    await this.#session?.updateChatCtx(chatCtx);
    if (this.#wanted === chatCtx) this.#wanted = null;
  }

  override async updateTools(tools: llm.ToolContext): Promise<void> {
    this.#tools = tools;
    await this.#session?.updateTools(tools);
  }

  override updateOptions(options: { toolChoice?: llm.ToolChoice | null }): void {
    this.#toolChoice = options;
    this.#session?.updateOptions(options);
  }

  override pushAudio(frame: AudioFrame): void {
    this.#unanswered.push(frame);
    this.#session?.pushAudio(frame);
  }

  override generateReply(
    instructions?: string,
    options: { signal?: AbortSignal } = {},
  ): Promise<llm.GenerationCreatedEvent> {
    const { promise, resolve, reject } = Promise.withResolvers<llm.GenerationCreatedEvent>();
    const reply = { instructions, options, resolve, reject };
    this.#replies.add(reply);
    if (this.#session) this.#ask(reply, this.#session);
    return promise;
  }

  override async commitAudio(): Promise<void> {
    await this.#session?.commitAudio();
  }

  override async clearAudio(): Promise<void> {
    await this.#session?.clearAudio();
  }

  override async interrupt(): Promise<void> {
    this.#answers.cut();
    this.#cut = null;
    await this.#session?.interrupt();
  }

  override async truncate(options: Parameters<llm.RealtimeSession['truncate']>[0]): Promise<void> {
    await this.#session?.truncate(options);
  }

  override startUserActivity(): void {
    this.#session?.startUserActivity();
  }

  override async close(): Promise<void> {
    this.#answers.cut();
    this.#closed.resolve();
    await super.close();
    await this.#session?.close();
  }
}

import { serveHttp } from '@switchboard/testkit/http-server.ts';

/**
 * Another address of the local models at `models`, where the first question is never answered: whoever asks it waits,
 * until it is killed. `asked` resolves then.
 */
export async function holdFirstQuestion(models: string) {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  let questions = 0;
  const { url, close } = await serveHttp(async (question, response) => {
    const body = Buffer.concat(await question.toArray());
    if (questions++ === 0) return resolve();
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${new URL(models).origin}${question.url}`, { method: 'POST', headers, body });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  return { url: `${url}/v1`, asked, close };
}

import type { Page } from 'playwright-core';

/**
 * Waits for the next `PUT`, and types into an input so many turns of the event loop after its answer. React takes a
 * value that was set through its own setter for its own; the body is read here, so that no turn goes by on it later.
 */
const TYPE_AFTER_SAVE = `(label, value, turns) => {
  const type = () => {
    const input = [...document.querySelectorAll('label')].find((one) => one.textContent.startsWith(label)).control;
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value').set.call(input, value);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const afterTurns = (left) => {
    if (left === 0) return type();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => afterTurns(left - 1);
    port2.postMessage(null);
  };
  const { fetch } = window;
  window.fetch = async (request, init) => {
    const response = await fetch(request, init);
    if ((init?.method ?? request.method) !== 'PUT') return response;
    window.fetch = fetch;
    const { status, headers } = response;
    const body = await response.text();
    afterTurns(turns);
    return new Response(body, { status, headers });
  };
}`;

/** Has the page type the value into the labelled input as many turns of its event loop after the next save. */
export async function typeAfterSave(page: Page, label: string, value: string, turns: number): Promise<void> {
  await page.evaluate(`(${TYPE_AFTER_SAVE})(${[label, value, turns].map((one) => JSON.stringify(one)).join()})`);
}

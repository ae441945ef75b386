import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser, startPageBrowser } from './browser.ts';

/** Time within which even a slow machine renders a page. */
const TIMEOUT_MS = 30_000;

/** A browser with the console. Everything that a page reports as an error is recorded. */
export interface ConsoleBrowser {
  errors: string[];
  /** A page of a first-time visitor. */
  visit(path: string, options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

/** The Chromium of this process, while any console is open in it: each visitor has an empty profile in it. */
let shared: Promise<Browser> | undefined;
let consoles = 0;

async function borrowBrowser() {
  consoles++;
  shared ??= startPageBrowser();
  const browser = await shared;
  return {
    browser,
    close: async () => {
      consoles--;
      if (consoles > 0) return;
      shared = undefined;
      await browser.close();
    },
  };
}

async function ownBrowser(microphone: Int16Array) {
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-console-'));
  const browser = await startBrowser(dir, microphone);
  return {
    browser,
    close: async () => {
      await browser.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Opens a service's console, in a Chromium of its own if its microphone has to play these 24 kHz samples. */
export async function openConsole(url: string, microphone?: Int16Array): Promise<ConsoleBrowser> {
  const { browser, close } = await (microphone ? ownBrowser(microphone) : borrowBrowser());
  const errors: string[] = [];
  const contexts: BrowserContext[] = [];
  return {
    errors,
    visit: async (to, options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      contexts.push(context);
      context.setDefaultTimeout(TIMEOUT_MS);
      const page = await context.newPage();
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => {
        // A user without a budget is not an error, nor are invalid prices; Chromium reports each 404 and 422.
        const isExpected = /\/api\/(budgets\/|prices$)/.test(message.location().url);
        if (message.type() === 'error' && !isExpected) errors.push(`${message.text()} ${message.location().url}`);
      });
      await page.goto(`${url}${to}`);
      return page;
    },
    close: async () => {
      for (const context of contexts) await context.close();
      await close();
    },
  };
}

/** Lets ten minutes pass in the page before each of these requests for a file is answered. */
export async function slowDown(page: Page, url: RegExp): Promise<void> {
  await page.clock.install();
  await page.route(url, async (route) => {
    if (/^text\/csv|ndjson/.test(route.request().headers().accept ?? '')) await page.clock.fastForward('10:00');
    await route.continue();
  });
}

/** Publishes the draft of the agent's page for all calls, once it is saved. */
export async function publish(page: Page, note = ''): Promise<void> {
  await page.getByRole('button', { name: 'Publish…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Note').fill(note);
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Calls get what you see').waitFor();
}

/** The script that finds violations. */
let axe: string | undefined;

interface Violation {
  id: string;
  impact: string | null;
  nodes: { html: string }[];
}

/** Violations of all accessibility rules, or of these, that are serious or worse, each with its first element. */
export async function seriousViolations(page: Page, rules?: string[]): Promise<string[]> {
  axe ??= await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe);
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
  const found = await page.evaluate<Violation[]>(`axe.run(${options}).then(({ violations }) => violations)`);
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** A proxy to a service that can be cut: existing connections break, and new ones fail. */
export interface Line {
  url: string;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Opens a proxy to a service on a new port. */
export async function openLine(url: string): Promise<Line> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<net.Socket>();
  let isCut = false;
  const server = net.createServer((socket) => {
    if (isCut) return socket.destroy();
    const far = net.connect(Number(port), hostname);
    for (const one of [socket, far]) {
      sockets.add(one);
      one.on('error', () => {}).on('close', () => sockets.delete(one));
    }
    return socket.pipe(far).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true;
      breakAll();
    },
    mend: () => {
      isCut = false;
    },
    close: async () => {
      server.close();
      breakAll();
      await once(server, 'close');
    },
  };
}

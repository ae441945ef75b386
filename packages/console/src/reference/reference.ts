import { setTheme, storedTheme } from '../app/theme.ts';
import { followPolicy } from './policy.ts';
import { addSamples, type Description } from './samples.ts';
import './reference.css';

/** Samples are in curl, Python, and TypeScript by our own client. */
const HIDDEN = {
  ...Object.fromEntries(
    'c clojure csharp dart fsharp go http java js julia kotlin node objc ocaml php powershell r ruby rust swift'
      .split(' ')
      .map((target) => [target, true]),
  ),
  shell: ['wget', 'httpie'],
  python: ['python3', 'httpx_sync', 'httpx_async', 'aiohttp'],
};

declare const Scalar: { createApiReference(element: string, configuration: object): void };

followPolicy(document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.content ?? '');
// Scalar's own place for the choice; the console's counts.
localStorage.setItem('colorMode', storedTheme());
document.addEventListener('DOMContentLoaded', show);

async function show(): Promise<void> {
  const description = (await (await fetch('/openapi.json')).json()) as Description;
  addSamples(description, location.origin);
  Scalar.createApiReference('#reference', {
    content: description,
    // The description's own is `/`, which Scalar would put before the slash of each path.
    servers: [{ url: location.origin }],
    theme: 'none',
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'none',
    persistAuth: false,
    hiddenClients: HIDDEN,
    featuredClients: ['shell/curl', 'python/requests'],
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  });
  followSwitch();
}

/** A theme chosen here is the console's too. */
function followSwitch(): void {
  const isDark = () => document.body.classList.contains('dark-mode');
  let shown = isDark();
  new MutationObserver(() => {
    if (isDark() === shown) return;
    shown = isDark();
    setTheme(shown ? 'dark' : 'light');
  }).observe(document.body, { attributeFilter: ['class'] });
}

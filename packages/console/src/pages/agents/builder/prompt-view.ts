import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { codeFolding, foldAll, foldGutter, foldKeymap, foldService, unfoldAll } from '@codemirror/language';
import { EditorState, type Extension, Transaction } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  MatchDecorator,
  placeholder,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { foldOf } from '../../../data/prompt-text.ts';

interface Options {
  parent: ShadowRoot;
  text: string;
  label: string;
  hint: string;
  isReadOnly: boolean;
  onChange: (text: string) => void;
}

/**
 * An editor of a prompt, in which sections below headings can be folded. In a shadow root its styles are constructed
 * ones, which the console's policy allows; it forbids style elements.
 */
export function createPromptView({ parent, text, label, hint, isReadOnly, onChange }: Options) {
  const view = new EditorView({
    parent,
    root: parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap]),
        headingFolds,
        codeFolding({ preparePlaceholder: (state, { from, to }) => linesOf(state, from, to), placeholderDOM }),
        foldGutter({ openText: '⌄', closedText: '›' }),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true', tabindex: '0' }),
        EditorState.readOnly.of(isReadOnly),
        placeholder(hint),
        ...MARKS,
        THEME,
        EditorView.updateListener.of((update) => reportChange(update, onChange)),
      ],
    }),
  });
  return {
    /** Shows another text; the cursor stays where the text is the same. */
    setText: (next: string) => replaceText(view, next),
    insert: (inserted: string) => {
      view.dispatch(view.state.replaceSelection(inserted));
      view.focus();
    },
    foldAll: () => foldAll(view),
    unfoldAll: () => unfoldAll(view),
    destroy: () => view.destroy(),
  };
}

function reportChange({ docChanged, state, transactions }: ViewUpdate, onChange: (text: string) => void): void {
  const isOurs = transactions.some((transaction) => transaction.annotation(Transaction.remote));
  if (docChanged && !isOurs) onChange(state.doc.toString());
}

function replaceText(view: EditorView, next: string): void {
  const before = view.state.doc.toString();
  if (before === next) return;
  let from = 0;
  while (from < Math.min(before.length, next.length) && before[from] === next[from]) from++;
  const changes = { from, to: before.length, insert: next.slice(from) };
  view.dispatch({ changes, annotations: Transaction.remote.of(true) });
}

const headingFolds = foldService.of((state, start) => {
  const line = state.doc.lineAt(start);
  // Asked for each line in view: the whole text is read for headings only.
  const fold = line.text.startsWith('#') ? foldOf(state.doc.toString(), line.number - 1) : null;
  return fold && { from: state.doc.line(fold.first + 1).to, to: state.doc.line(fold.last + 1).to };
});

const linesOf = (state: EditorState, from: number, to: number) =>
  state.doc.lineAt(to).number - state.doc.lineAt(from).number;

function placeholderDOM(_: EditorView, onclick: (event: Event) => void, lines: number): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'cm-folded';
  button.textContent = lines === 1 ? '1 line' : `${lines} lines`;
  button.addEventListener('click', onclick);
  return button;
}

/** Marks each match; only those in view are looked for. */
function marks(regexp: RegExp, name: string): Extension {
  const decorator = new MatchDecorator({ regexp, decoration: Decoration.mark({ class: name }) });
  return ViewPlugin.define(
    (view) => ({
      decorations: decorator.createDeco(view) as DecorationSet,
      update(update) {
        this.decorations = decorator.updateDeco(update, this.decorations);
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  );
}

const MARKS = [
  marks(/\{\{\s*(?:[A-Za-z_]\w{0,63}|sip\.[a-z0-9_.-]{1,64})\s*\}\}/g, 'cm-variable'),
  marks(/^#{1,6}\s.*$/gm, 'cm-heading'),
];

const THEME = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', fontSize: '14px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font)', lineHeight: '1.65' },
  '.cm-content': { padding: '14px 16px 40px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0' },
  '.cm-gutters': { background: 'none', border: '0', color: 'var(--muted)' },
  '.cm-foldGutter .cm-gutterElement': { padding: '0 6px', cursor: 'pointer', minWidth: '22px', textAlign: 'center' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-heading': { fontWeight: '600' },
  '.cm-variable': {
    padding: '1px 5px',
    color: 'var(--accent)',
    background: 'var(--accent-soft)',
    borderRadius: '5px',
    fontSize: '0.93em',
  },
  '.cm-folded': {
    margin: '0 0 0 8px',
    padding: '0 8px',
    color: 'var(--muted)',
    background: 'var(--hover)',
    border: '1px solid var(--line-strong)',
    borderRadius: '10px',
    font: 'inherit',
    fontSize: '12px',
    cursor: 'pointer',
  },
});

/**
 * Lets Scalar work under a Content-Security-Policy without `unsafe-inline` and `unsafe-eval`. Its style elements get
 * the nonce of the page, and style attributes are set through the CSSOM, which the policy does not restrict.
 */
export function followPolicy(nonce: string): void {
  const { createElement } = document;
  document.createElement = (...args: [string, ElementCreationOptions?]) => {
    const element = createElement.apply(document, args);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
  const { setAttribute } = Element.prototype;
  Element.prototype.setAttribute = function (name, value) {
    if (name === 'style' && 'style' in this) (this as HTMLElement).style.cssText = value;
    else setAttribute.call(this, name, value);
  };
  const { get, set } = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML') as Required<PropertyDescriptor>;
  Object.defineProperty(Element.prototype, 'innerHTML', {
    configurable: true,
    get,
    set(this: Element, html: unknown) {
      set.call(this, String(html ?? '').replace(/(<[a-z][^<>]*?) style="/gi, '$1 data-style="'));
      for (const one of this.querySelectorAll<HTMLElement>('[data-style]')) one.style.cssText = one.dataset.style ?? '';
    },
  });
  // Zod would try `Function('')` to find out whether it may compile schemas; the policy reports each attempt.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
}

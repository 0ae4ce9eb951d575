/**
 * Runs in a page: does to its texts what Chrome's translator does. Each text node is replaced by nested `<font>`
 * elements with a changed text, those that the page adds later as well.
 */
export function translatePage(): void {
  const isOurs = ({ parentElement: parent }: Text) =>
    parent !== null &&
    parent.closest('font, script, style, textarea, .notranslate') === null &&
    parent.closest('[translate]')?.getAttribute('translate') !== 'no';
  const translate = (node: Node) => {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    for (let text: Node | null = walker.currentNode; text !== null; text = walker.nextNode()) {
      if (text instanceof Text && text.data.trim() !== '' && isOurs(text)) texts.push(text);
    }
    for (const text of texts) {
      const font = document.createElement('font');
      const inner = font.appendChild(document.createElement('font'));
      inner.textContent = `«${text.data}»`;
      text.replaceWith(font);
    }
  };
  document.documentElement.classList.add('translated-ltr');
  document.documentElement.lang = 'hu';
  translate(document.body);
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      for (const node of [target, ...addedNodes]) if (node.isConnected) translate(node);
    }
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}

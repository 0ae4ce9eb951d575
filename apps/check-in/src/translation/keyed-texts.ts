import { type ComponentChildren, options } from 'preact';

/*
 * A browser that translates the page replaces text nodes by elements of its own. Preact neither changes nor removes
 * those, so they would stand beside the texts of later screens. Therefore no element outlives its text: the text is part
 * of its key, and a new text is a new element, with which goes everything that a translator put into the old one.
 *
 * A text among other children must not be a fragment's but an element's. An element that must outlive its text (a live
 * region, a label around a control) has the text in an element within.
 */

const textOf = (children: ComponentChildren): string => {
  if (Array.isArray(children)) return children.map(textOf).join('');
  return typeof children === 'string' || typeof children === 'number' ? String(children) : '';
};

/** Call it once, before anything is rendered. */
export function keyTexts(): void {
  const former = options.vnode;
  options.vnode = (vnode) => {
    former?.(vnode);
    if (typeof vnode.type !== 'string') return;
    const text = textOf(vnode.props.children);
    if (text !== '') vnode.key = `${vnode.key ?? ''} ${text}`;
  };
}

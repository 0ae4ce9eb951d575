export {
  type SimulatedXola,
  startXola,
  type XolaOptions,
  type XolaRoute,
} from './start-xola.ts';
export { type XolaItem, type XolaOrder, xolaOrder } from './xola-order.ts';

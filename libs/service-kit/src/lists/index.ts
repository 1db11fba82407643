export {
  askedOwner,
  hasIds,
  type List,
  type ListCondition,
  type ListKey,
  type ListLead,
  type OwnerQuery,
  type ScopedList,
  selectColumns,
} from "./list.ts";
export { writeCursor } from "./list-cursor.ts";
export { equalsLead, looseScan } from "./index-lead.ts";
export {
  exactTotalMax,
  type ListedPage,
  type ListQuery,
  readList,
  readUncounted,
  readScopedList,
} from "./read-list.ts";
export {
  type ListPage,
  type PageQuery,
  limitDefault,
  readAmounts,
  readPage,
  refuseQuery,
  takePage,
} from "./read-page.ts";
export { foldText } from "./fold-text.ts";
export {
  containsAddress,
  containsFolded,
  containsText,
  searchTerm,
  wordsOf,
  endsWithText,
  escapeLike,
  hasTrigram,
  startsWithText,
} from "./text-search.ts";

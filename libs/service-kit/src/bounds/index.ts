export { withDeadline } from "./with-deadline.ts";
export { type BoundedMemo, createBoundedMemo, detached } from "./bounded-memo.ts";

import { type Operation, operations } from "@latchkey/contracts";

const { callback, callbackPost } = operations.identity;

/** Returns whether providers redirect browsers back to this operation. */
export const isCallback = ({ name }: Operation): boolean =>
  name === callback.name || name === callbackPost.name;

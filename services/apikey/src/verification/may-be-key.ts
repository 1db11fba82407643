import type { ApiKeyRequest, Options } from "@latchkey/contracts";
import { isKeyText } from "../keys/is-key-text.ts";

/** Returns whether a text can be a key, before any lookup: its length is in range, and the application's validator accepts it. */
export const mayBeKey = async (
  { defaultKeyLength, customAPIKeyValidator }: Options["apiKey"],
  key: string,
  request: ApiKeyRequest,
): Promise<boolean> => {
  if (!isKeyText({ defaultKeyLength }, key)) return false;
  return customAPIKeyValidator ? customAPIKeyValidator({ ctx: request, key }) : true;
};

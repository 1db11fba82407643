import type { ApiKeyRequest, Options } from "@latchkey/contracts";
import { isKeyText } from "../keys/is-key-text.ts";

/** Whether a text can be a key at all, before it is looked for: of a fitting length, and to the application's own liking. */
export const mayBeKey = async (
  { defaultKeyLength, customAPIKeyValidator }: Options["apiKey"],
  key: string,
  request: ApiKeyRequest,
): Promise<boolean> => {
  if (!isKeyText({ defaultKeyLength }, key)) return false;
  return customAPIKeyValidator ? customAPIKeyValidator({ ctx: request, key }) : true;
};

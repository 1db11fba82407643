import { keyTextOf } from "./seed-keys.ts";
import { benchToken } from "./stack-settings.ts";

/** Returns the request with which a local service verifies the seeded key number `index`. */
export const verifyRequest = (index: number): Buffer => {
  const body = JSON.stringify({ key: keyTextOf(index) });
  const lines = [
    "POST /internal/api-key/verify HTTP/1.1",
    "host: localhost",
    `authorization: Bearer ${benchToken}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ];
  return Buffer.from(lines.join("\r\n"));
};

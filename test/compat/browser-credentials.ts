import type { SoftwareAuthenticator } from "@latchkey/testkit";
import { vi } from "vitest";

/** The options as the browser's API takes them: with bytes in place of base64url. */
interface CreateArguments {
  publicKey: {
    challenge: ArrayBuffer;
    rp: { id: string };
    user: { id: ArrayBuffer };
    pubKeyCredParams: { alg: number }[];
    excludeCredentials?: { id: ArrayBuffer }[];
  };
}
interface GetArguments {
  publicKey: { challenge: ArrayBuffer; rpId: string; allowCredentials?: { id: ArrayBuffer }[] };
}

const textOf = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString("base64url");

const bytesOf = (text: string): ArrayBuffer => {
  const bytes = Buffer.from(text, "base64url");
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
};

type Response = ReturnType<SoftwareAuthenticator["create"] | SoftwareAuthenticator["get"]>;

/** Returns a response as the browser's API does. */
const toCredential = ({ id, type, response: { ...members } }: Response) => {
  const transports = "transports" in members ? members.transports : [];
  const bytes = Object.entries(members).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, bytesOf(value)] as const] : [],
  );
  const response = { ...Object.fromEntries(bytes), getTransports: () => transports };
  return { id, type, rawId: bytesOf(id), response, getClientExtensionResults: () => ({}) };
};

/** Puts an authenticator behind `navigator.credentials`. Undo it by `vi.unstubAllGlobals`. */
export const stubCredentials = (authenticator: SoftwareAuthenticator): void => {
  const registered = new Set<string>();
  const create = async ({ publicKey: { challenge, user, ...options } }: CreateArguments) => {
    if (options.excludeCredentials?.some(({ id }) => registered.has(textOf(id))))
      throw new DOMException("It is registered already", "InvalidStateError");
    const created = authenticator.create({
      ...options,
      challenge: textOf(challenge),
      user: { id: textOf(user.id) },
    });
    registered.add(created.id);
    return toCredential(created);
  };
  const get = async ({ publicKey }: GetArguments) =>
    toCredential(
      authenticator.get({
        rpId: publicKey.rpId,
        challenge: textOf(publicKey.challenge),
        allowCredentials: publicKey.allowCredentials?.map(({ id }) => ({ id: textOf(id) })),
      }),
    );
  vi.stubGlobal("navigator", { credentials: { create, get }, userAgent: "test" });
  vi.stubGlobal("PublicKeyCredential", () => {});
};

import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { operations } from "@latchkey/contracts";
import type { CheckContext } from "./check-context.ts";
import { done } from "./done.ts";
import type { Browser } from "./http/browser.ts";

const { identity } = operations;

/** A passkey of the run, which signs in software with ES256. It verifies no user, so it is one factor. */
export interface SoftwarePasskey {
  /** The id of its row. */
  id: string;
  /** Returns the response to a sign-in that a browser has begun. */
  respond(browser: Browser): Promise<object>;
}

const credentialBytes = 32;
const userPresent = 1;
const hasCredential = 64;

const sha256 = (data: Uint8Array | string): Buffer => createHash("sha256").update(data).digest();
const base64url = (data: Uint8Array): string => Buffer.from(data).toString("base64url");

/** Returns the part of the authenticator data that precedes a credential (WebAuthn, section 6.1). Passkeys that are synced count nothing. */
const dataOf = (rpId: string, flags: number): Buffer =>
  Buffer.concat([sha256(rpId), Buffer.from([flags, 0, 0, 0, 0])]);

/** Returns the COSE key of a point of P-256 in CBOR: `{1: 2, 3: -7, -1: 1, -2: x, -3: y}`. */
const coseKey = ({ x = "", y = "" }: { x?: string; y?: string }): Buffer =>
  Buffer.concat([
    Buffer.from("a5010203262001215820", "hex"),
    Buffer.from(x, "base64url"),
    Buffer.from("225820", "hex"),
    Buffer.from(y, "base64url"),
  ]);

/** Returns the attestation object without an attestation, in CBOR: `{"fmt": "none", "attStmt": {}, "authData": data}`. */
const attestationOf = (data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from("\u00a3cfmtdnonegattStmt\u00a0hauthDataX", "latin1"),
    Buffer.from([data.length]),
    data,
  ]);

const clientDataOf = (
  { gateway: { origin } }: CheckContext,
  type: "webauthn.create" | "webauthn.get",
  challenge: string,
): Buffer => Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

/** Registers a passkey for the user of a browser. */
export const registerPasskey = async (
  context: CheckContext,
  browser: Browser,
): Promise<SoftwarePasskey> => {
  const what = "a passkey (passkey.enabled)";
  const options = await done(browser.ask(identity.generateRegisterOptions), what);
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const credential = randomBytes(credentialBytes);
  const data = Buffer.concat([
    dataOf(options.rp.id, userPresent | hasCredential),
    Buffer.alloc(16), // no model
    Buffer.from([0, credentialBytes]),
    credential,
    coseKey(publicKey.export({ format: "jwk" })),
  ]);
  const credentialId = base64url(credential);
  const common = {
    id: credentialId,
    rawId: credentialId,
    type: "public-key",
    clientExtensionResults: {},
  };
  const clientData = clientDataOf(context, "webauthn.create", options.challenge);
  const response = {
    ...common,
    response: {
      clientDataJSON: base64url(clientData),
      attestationObject: base64url(attestationOf(data)),
    },
  };
  const body = { response, name: "prove" };
  const { id } = await done(browser.ask(identity.verifyRegistration, { body }), what);
  return {
    id,
    respond: async (asking) => {
      const answer = asking.ask(identity.generateAuthenticateOptions);
      const { challenge, rpId } = await done(answer, "a sign-in by passkey");
      const clientDataJSON = clientDataOf(context, "webauthn.get", challenge);
      const authenticatorData = dataOf(rpId, userPresent);
      const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)]);
      return {
        ...common,
        response: {
          clientDataJSON: base64url(clientDataJSON),
          authenticatorData: base64url(authenticatorData),
          signature: base64url(sign("sha256", signed, privateKey)),
        },
      };
    },
  };
};

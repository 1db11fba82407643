import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { type CborValue, encodeCbor } from "./encode-cbor.ts";

/** The members of WebAuthn's creation options that an authenticator reads. */
export interface CreationOptions {
  challenge: string;
  rp: { id: string };
  user: { id: string };
  pubKeyCredParams: readonly { alg: number }[];
}

/** The members of WebAuthn's request options that an authenticator reads. */
export interface RequestOptions {
  challenge: string;
  rpId: string;
  allowCredentials?: readonly { id: string }[] | undefined;
}

/** Flags of authenticator data: user present and verified, backup eligible and backed up. */
interface Flags {
  up: boolean;
  uv: boolean;
  be: boolean;
  bs: boolean;
}

/** Differences from what an honest browser and authenticator send. */
export interface Deviation {
  clientData?: Record<string, unknown>;
  rpId?: string;
  flags?: Partial<Flags>;
  counter?: number;
  /** Base64url. Null leaves it out. */
  userHandle?: string | null;
  /** The credential to use or, for a creation, its id. */
  credentialId?: string;
  /** Changes the signed bytes after the signature. */
  isForged?: boolean;
  /** The attestation, by default none. */
  attestation?: { format: string; statement: ReadonlyMap<string, CborValue> };
}

interface Credential {
  id: string;
  rpId: string;
  userHandle: string;
  alg: number;
  privateKey: KeyObject;
  counter: number;
}

export interface AuthenticatorSettings {
  origin: string;
  /** Whether it verifies its users, as by a PIN. */
  verifiesUser?: boolean;
  /** Whether its passkeys are synced. */
  isSynced?: boolean;
  /** Whether it counts its signatures. Synced passkeys do not. */
  counts?: boolean;
  /** The COSE algorithm. By default the first one that the options name. */
  alg?: number;
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
const bytesOf = (text: string): Buffer => Buffer.from(text, "base64url");
const sha256 = (data: Uint8Array | string): Buffer => createHash("sha256").update(data).digest();

/** Creates a key pair with the public key as a COSE map (RFC 9053). */
const createKey = (alg: number): { privateKey: KeyObject; cose: Buffer } => {
  const member = (publicKey: KeyObject, name: "e" | "n" | "x" | "y") =>
    bytesOf(publicKey.export({ format: "jwk" })[name] ?? "");
  if (alg === -8) {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const entries = [
      [1, 1],
      [3, alg],
      [-1, 6],
      [-2, member(publicKey, "x")],
    ] as const;
    return { privateKey, cose: encodeCbor(new Map<number, CborValue>(entries)) };
  }
  if (alg === -257) {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const [n, e] = [member(publicKey, "n"), member(publicKey, "e")];
    const entries = [
      [1, 3],
      [3, alg],
      [-1, n],
      [-2, e],
    ] as const;
    return { privateKey, cose: encodeCbor(new Map<number, CborValue>(entries)) };
  }
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const [x, y] = [member(publicKey, "x"), member(publicKey, "y")];
  const entries = [
    [1, 2],
    [3, alg],
    [-1, 1],
    [-2, x],
    [-3, y],
  ] as const;
  return { privateKey, cose: encodeCbor(new Map<number, CborValue>(entries)) };
};

const flagByte = ({ up, uv, be, bs }: Flags, hasCredential: boolean): number =>
  (up ? 1 : 0) | (uv ? 4 : 0) | (be ? 8 : 0) | (bs ? 16 : 0) | (hasCredential ? 64 : 0);

const bigEndian = (value: number, length: 2 | 4): Buffer => {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(value, 0, length);
  return bytes;
};

const noModel = Buffer.alloc(16);

/**
 * Creates an authenticator with its browser, in software. It answers the options of the server as `navigator.credentials` does, in JSON, and
 * deviates from that on request.
 */
export const createSoftwareAuthenticator = ({
  origin,
  verifiesUser = true,
  isSynced = false,
  counts = !isSynced,
  alg: ownAlg,
}: AuthenticatorSettings) => {
  const credentials: Credential[] = [];

  const clientDataOf = (type: string, challenge: string, { clientData }: Deviation): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...clientData }));

  const dataOf = (
    rpId: string,
    counter: number,
    { deviation, attested }: { deviation: Deviation; attested?: Buffer },
  ): Buffer => {
    const flags = { up: true, uv: verifiesUser, be: isSynced, bs: isSynced, ...deviation.flags };
    return Buffer.concat([
      sha256(deviation.rpId ?? rpId),
      Buffer.from([flagByte(flags, attested !== undefined)]),
      bigEndian(deviation.counter ?? counter, 4),
      attested ?? Buffer.alloc(0),
    ]);
  };

  const choose = ({ rpId, allowCredentials }: RequestOptions, { credentialId }: Deviation) => {
    const allowed = allowCredentials?.map(({ id }) => id);
    const passkey = credentials.findLast(
      ({ id, rpId: own }) =>
        (credentialId === undefined || id === credentialId) &&
        own === rpId &&
        (allowed?.includes(id) ?? true),
    );
    if (!passkey) throw new Error("The authenticator has no such passkey");
    return passkey;
  };

  const create = (options: CreationOptions, deviation: Deviation = {}) => {
    const alg = ownAlg ?? options.pubKeyCredParams[0]?.alg ?? -7;
    const { privateKey, cose } = createKey(alg);
    const id = deviation.credentialId ?? base64url(randomBytes(32));
    const { rp, user } = options;
    credentials.push({ id, rpId: rp.id, userHandle: user.id, alg, privateKey, counter: 0 });
    const attested = Buffer.concat([noModel, bigEndian(bytesOf(id).length, 2), bytesOf(id), cose]);
    const { format = "none", statement = new Map() } = deviation.attestation ?? {};
    const attestation = new Map<string, CborValue>([
      ["fmt", format],
      ["attStmt", statement],
      ["authData", dataOf(rp.id, 0, { deviation, attested })],
    ]);
    return {
      id,
      rawId: id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(clientDataOf("webauthn.create", options.challenge, deviation)),
        attestationObject: base64url(encodeCbor(attestation)),
        transports: ["internal", "hybrid"],
      },
    };
  };

  const get = (options: RequestOptions, deviation: Deviation = {}) => {
    const credential = choose(options, deviation);
    if (counts) credential.counter += 1;
    const authenticatorData = dataOf(options.rpId, credential.counter, { deviation });
    const clientData = clientDataOf("webauthn.get", options.challenge, deviation);
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    if (deviation.isForged) signed[0] = (signed[0] ?? 0) ^ 1;
    const digest = credential.alg === -8 ? null : "sha256";
    const { userHandle = credential.userHandle } = deviation;
    return {
      id: credential.id,
      rawId: credential.id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(sign(digest, signed, credential.privateKey)),
        ...(userHandle === null ? {} : { userHandle }),
      },
    };
  };

  return { create, get };
};

export type SoftwareAuthenticator = ReturnType<typeof createSoftwareAuthenticator>;

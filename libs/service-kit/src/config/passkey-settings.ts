import { isIP } from "node:net";
import type { Options } from "@latchkey/contracts";

/** The relying party of WebAuthn: the domain to which passkeys are bound, and the origins that may use them. */
export interface RelyingParty {
  id: string;
  name: string;
  origins: readonly string[];
}

export interface PasskeySettings {
  /** Undefined if passkeys are off. */
  relyingParty: RelyingParty | undefined;
  /** Why passkeys are off although the options turn them on. */
  offBecause: string | undefined;
}

const off = (offBecause?: string): PasskeySettings => ({ relyingParty: undefined, offBecause });

/** The settings from which the relying party is derived. */
export interface PasskeySource {
  options: Options;
  production: boolean;
  network: { ports: { gateway: number } };
}

const isLocal = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");
const isAddress = (host: string): boolean => host.startsWith("[") || isIP(host) !== 0;
const isOn = (host: string, id: string): boolean => host === id || host.endsWith(`.${id}`);
const isWeb = ({ protocol }: URL): boolean => protocol === "https:" || protocol === "http:";
const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && isLocal(hostname));

const hostOf = (baseURL: string | undefined): string | undefined =>
  baseURL === undefined ? undefined : new URL(baseURL).hostname;

/** Returns the origins of the trusted list on which the passkeys of a domain work. Patterns and functions are no exact origins. */
const trustedOn = (id: string, { trustedOrigins, appURL }: Options): string[] =>
  [...(typeof trustedOrigins === "function" ? [] : trustedOrigins), ...[appURL].flat()].flatMap(
    (text) => {
      const url = text.includes("*") ? null : URL.parse(text);
      return url && isSafe(url) && isOn(url.hostname, id) ? [url.origin] : [];
    },
  );

/**
 * A domain with one label is a top-level domain, which belongs to nobody. Longer public suffixes, such as `co.uk`, are left to the
 * browsers, which refuse them by their list.
 */
const isRegistrable = (id: string): boolean => id.includes(".");

const checkId = (id: string, host: string | undefined): string[] => {
  const name = "passkey.rpID";
  if (URL.parse(`https://${id}`)?.hostname !== id)
    return [`${name}: must be a domain in lower case, such as example.com`];
  if (isAddress(id)) return [`${name}: must not be an IP address`];
  const isHost = id === (host ?? "localhost");
  return isHost || (isRegistrable(id) && (host === undefined || isOn(host, id)))
    ? []
    : [`${name}: must be the host of baseURL, or a registrable domain above it`];
};

const checkOrigin = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && (!isWeb(url) || (url.origin === text && isSafe(url)));
};

const listOf = (origin: string | string[] | undefined): string[] => [origin ?? []].flat();

/** Checks the rules between the options of passkeys. */
export const checkPasskey = (options: Options, production: boolean): string[] => {
  const { passkey, baseURL } = options;
  if (!passkey.enabled) return [];
  const problems = passkey.rpID === undefined ? [] : checkId(passkey.rpID, hostOf(baseURL));
  if (!listOf(passkey.origin).every(checkOrigin))
    problems.push("passkey.origin: must be origins, such as https://app.example.com");
  const isAlone = production && baseURL === undefined && passkey.rpID !== undefined;
  if (isAlone && listOf(passkey.origin).length === 0)
    problems.push("passkey.origin: is required with passkey.rpID if there is no baseURL");
  return problems;
};

/**
 * Derives the relying party from the configuration alone. A request never determines it, because its origin and host are the client's to
 * choose. Outside production and without a base URL, passkeys work at `localhost` and the configured port.
 */
export const readPasskeySettings = ({
  options,
  production,
  network,
}: PasskeySource): PasskeySettings => {
  const { passkey, appName } = options;
  if (!passkey.enabled) return off();
  const place = production ? undefined : `http://localhost:${network.ports.gateway}`;
  const baseURL = options.baseURL ?? place;
  const id = passkey.rpID ?? hostOf(baseURL);
  if (id === undefined)
    return off("there is no baseURL. Set BASE_URL, or passkey.rpID and passkey.origin");
  if (isAddress(id)) return off("baseURL is an IP address. Set BASE_URL to a domain");
  const own = baseURL !== undefined && isOn(new URL(baseURL).hostname, id) ? [baseURL] : [];
  const origins =
    listOf(passkey.origin).length > 0
      ? listOf(passkey.origin)
      : [...own.map((url) => new URL(url).origin), ...trustedOn(id, options)];
  return {
    relyingParty: { id, name: passkey.rpName ?? appName, origins: [...new Set(origins)] },
    offBecause: undefined,
  };
};

import type { Provider } from "oidc-provider";
import { readMetadata } from "./client-metadata.ts";
import { presentWork } from "./work.ts";

/** A logout that a client asks for. */
export interface LogoutRequest {
  /** Undefined if the request names no client. */
  clientId?: string | undefined;
  /** Registered by the client. Undefined if the browser stays here. */
  redirectUri?: string | undefined;
  state?: string | undefined;
}

interface Refusal {
  error: string;
  error_description: string;
}

const refuse = (error_description: string): Refusal => ({
  error: "invalid_request",
  error_description,
});

/** The parts of the library's ID tokens that its types leave out. */
interface IdTokens {
  validate(jwt: string, client: object): Promise<unknown>;
}

/** Returns the first audience of a token, unverified. */
const audienceOf = (token: string): string | undefined => {
  try {
    const text = Buffer.from(token.split(".")[1] ?? "", "base64url").toString();
    const { aud } = JSON.parse(text) as { aud?: unknown };
    return typeof aud === "string" ? aud : undefined;
  } catch {
    return undefined;
  }
};

/** Returns whether a token is an ID token for the client. An expired one is too (RP-Initiated Logout section 4). */
const isIdTokenOf = async (provider: Provider, token: string, client: object): Promise<boolean> => {
  try {
    await (provider.IdToken as unknown as IdTokens).validate(token, client);
    return true;
  } catch {
    return false;
  }
};

const names = ["id_token_hint", "client_id", "post_logout_redirect_uri", "state"] as const;

/** Reads a request to sign out, within a unit of work. An address that the client has not registered is ignored, so that the user stays here. */
export const readLogoutRequest = async (
  provider: Provider,
  params: URLSearchParams,
): Promise<LogoutRequest | Refusal> => {
  if (names.some((name) => params.getAll(name).length > 1))
    return refuse("a parameter is repeated");
  const [hint, clientId, redirectUri, state] = names.map((name) => params.get(name) || undefined);
  const audience = hint === undefined ? undefined : audienceOf(hint);
  if (hint !== undefined && audience === undefined) return refuse("id_token_hint is no ID token");
  if (audience !== undefined && clientId !== undefined && audience !== clientId)
    return refuse("client_id and id_token_hint differ");
  const id = audience ?? clientId;
  if (id === undefined) return { state };
  const client = await provider.Client.find(id);
  const row = presentWork().clients.get(id);
  if (!client || !row) return refuse("the client is unknown");
  if (hint !== undefined && !(await isIdTokenOf(provider, hint, client)))
    return refuse("id_token_hint is not valid");
  const { post_logout_redirect_uris: registered = [] } = readMetadata(row.metadata);
  const isRegistered = redirectUri !== undefined && registered.includes(redirectUri);
  return { clientId: id, redirectUri: isRegistered ? redirectUri : undefined, state };
};

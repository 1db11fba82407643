import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

interface Options {
  /** The origin of this application. Latchkey trusts it, and `oneTimeToken.callbackURLs` has its page `/signed-in`. */
  ownUrl: string;
  /** The base URL of Latchkey's operations. */
  latchkeyUrl: string;
  /** The sign-in page of Latchkey. */
  signInUrl: string;
}

interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
  query: URLSearchParams;
}

const signInLink = `<a href="/sign-in">Sign in</a>`;

const cookieOf = ({ request }: Asked, name: string): string | undefined =>
  request.headers.cookie
    ?.split("; ")
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const withQuery = (url: string, query: Record<string, string>): string =>
  `${url}?${new URLSearchParams(query).toString()}`;

const redirect = ({ response }: Asked, location: string): void => {
  // The address of /signed-in contains a token, which no other page may learn.
  response.writeHead(303, { location, "referrer-policy": "no-referrer" }).end();
};

const show = ({ response }: Asked, status: number, html: string): void => {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
  });
  response.end(`<!doctype html><title>Other site</title>${html}`);
};

/** Shows the user of the session that Latchkey knows by the token in our cookie. */
const showUser = async (asked: Asked, latchkeyUrl: string): Promise<void> => {
  const token = cookieOf(asked, "session");
  if (token === undefined) return show(asked, 200, signInLink);
  const answer = await fetch(`${latchkeyUrl}/get-session`, {
    headers: { authorization: `Bearer ${token}` },
  });
  // Any other status says nothing about the session.
  if (answer.status !== 200) return show(asked, 503, "Try again in a moment.");
  const live = (await answer.json()) as { user: { name: string } } | null;
  if (live === null) return show(asked, 200, `Your session has ended. ${signInLink}`);
  const form = `<form method="post" action="/sign-out"><button>Sign out</button></form>`;
  return show(asked, 200, `Signed in as ${escapeHtml(live.user.name)}. ${form}`);
};

/** Returns the session token for a one-time token, or undefined if that cannot be used. */
const exchange = async (
  token: string,
  { ownUrl, latchkeyUrl }: Options,
): Promise<string | undefined> => {
  const answer = await fetch(`${latchkeyUrl}/one-time-token/verify`, {
    method: "POST",
    // Latchkey accepts the token from the application for which it was issued.
    headers: { "content-type": "application/json", origin: ownUrl },
    body: JSON.stringify({ token }),
  });
  return (answer.status === 200 && answer.headers.get("set-auth-token")) || undefined;
};

/** Creates an application of another site than Latchkey. Its pages do not see Latchkey's cookie, so it has its own cookie. */
export const createOtherSite = (options: Options): Server => {
  const { ownUrl, latchkeyUrl, signInUrl } = options;
  const secure = ownUrl.startsWith("https:") ? "; Secure" : "";
  /** Sets a cookie that ends with the browser, unless it has a maximum age in seconds. */
  const setCookie = ({ response }: Asked, pair: string, maxAge?: number): void => {
    const age = maxAge === undefined ? "" : `; Max-Age=${maxAge}`;
    response.appendHeader("set-cookie", `${pair}${age}; Path=/; HttpOnly; SameSite=Lax${secure}`);
  };

  /** Begins a sign-in. The state ties its end to this browser. */
  const signIn = async (asked: Asked): Promise<void> => {
    const state = randomBytes(32).toString("base64url");
    setCookie(asked, `state=${state}`, 600);
    const back = withQuery(`${ownUrl}/signed-in`, { state });
    redirect(asked, withQuery(signInUrl, { redirect_to: back }));
  };

  /** Ends a sign-in that this browser has begun. Without the state, an attacker could sign a victim in as the attacker. */
  const signedIn = async (asked: Asked): Promise<void> => {
    const { query } = asked;
    const state = cookieOf(asked, "state");
    setCookie(asked, "state=", 0);
    if (state === undefined || state !== query.get("state"))
      return show(asked, 400, `This sign-in was not begun in this browser. ${signInLink}`);
    const token = query.get("one_time_token");
    // A page, not a redirect: the user would be sent back and forth.
    if (token === null) return show(asked, 403, `You are not signed in. ${signInLink}`);
    const session = await exchange(token, options);
    if (session === undefined) return show(asked, 403, `The sign-in took too long. ${signInLink}`);
    // A user who does not stay signed in is signed out with the browser. Anyone else comes back from the sign-in page at once.
    setCookie(asked, `session=${session}`);
    return redirect(asked, "/");
  };

  /** Ends the session everywhere, because Latchkey's pages and this application share it. */
  const signOut = async (asked: Asked): Promise<void> => {
    const token = cookieOf(asked, "session");
    setCookie(asked, "session=", 0);
    if (token !== undefined)
      await fetch(`${latchkeyUrl}/sign-out`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
      });
    return redirect(asked, "/");
  };

  const routes: Readonly<Record<string, (asked: Asked) => Promise<void>>> = {
    "GET /": (asked) => showUser(asked, latchkeyUrl),
    "GET /sign-in": signIn,
    "GET /signed-in": signedIn,
    "POST /sign-out": signOut,
  };
  return createServer((request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? "/", ownUrl);
    const route = routes[`${request.method} ${pathname}`];
    if (!route) {
      response.writeHead(404).end();
      return;
    }
    route({ request, response, query }).catch(() => response.writeHead(503).end());
  });
};

if (import.meta.main) {
  const {
    OWN_URL: ownUrl = "http://localhost:4000",
    LATCHKEY_URL: latchkeyUrl = "http://localhost:3000/api/auth",
    SIGN_IN_URL: signInUrl = "http://localhost:3000/account/sign-in",
    PORT = "4000",
  } = process.env;
  createOtherSite({ ownUrl, latchkeyUrl, signInUrl }).listen(Number(PORT), () =>
    process.stdout.write(`other site at ${ownUrl}\n`),
  );
}

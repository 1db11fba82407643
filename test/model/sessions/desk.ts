import { ask, type Reply } from "../ask.ts";
import type { Side, View } from "../check-model.ts";
import { type House, replicaCount } from "../house.ts";
import { cookieHeader, firstPassword, type Somebody } from "../people.ts";
import { type Device, keepCookies, lookWith } from "./devices.ts";
import { nameCall } from "./name-call.ts";
import { firstOf, type Picked } from "./picked.ts";
import type { SessionCall } from "./truth.ts";

const textOf = (password: number): string => firstPassword.replace(/0$/, String(password));

/** Where and with what a call goes out. */
interface Request {
  path: string;
  body: object;
}

const paths = {
  "revoke-others": "/revoke-other-sessions",
  "revoke-all": "/revoke-sessions",
  "sign-out": "/sign-out",
  ban: "/admin/ban-user",
  unban: "/admin/unban-user",
  remove: "/admin/remove-user",
  "revoke-of": "/admin/revoke-user-sessions",
} as const;

interface Given {
  house: House;
  people: ReadonlyMap<string, Somebody>;
  admin: Somebody;
  /** Told of each look that a gateway answered by a copy. */
  onCopy(): void;
}

/** Makes calls in sessions and to people, and looks at what each device is shown everywhere. */
export const createDesk = ({ house, people, admin, onCopy }: Given): Side<Picked, SessionCall> => {
  const devices = new Map<string, Device>();
  for (const [person, { token, cookies }] of people)
    devices.set(firstOf(person), { token, person, cookies: new Map(cookies) });
  const passwords = new Map<string, number>();
  const somebody = (person: string): Somebody => people.get(person) ?? admin;
  const deviceOf = (name: string): Device =>
    devices.get(name) ?? { token: "", person: "", cookies: new Map() };

  const requestOf = (call: SessionCall): Request => {
    switch (call.kind) {
      case "sign-in": {
        const { email } = somebody(call.person);
        const { password, isRemembered: rememberMe } = call;
        return { path: "/sign-in/email", body: { email, password: textOf(password), rememberMe } };
      }
      case "look":
        return { path: "/get-session", body: {} };
      case "revoke":
        return { path: "/revoke-session", body: { token: deviceOf(call.session).token } };
      case "change-password": {
        const texts = { currentPassword: textOf(call.from), newPassword: textOf(call.to) };
        const body = { ...texts, revokeOtherSessions: call.endsOthers };
        return { path: "/change-password", body };
      }
      case "rename":
        return { path: "/update-user", body: { name: "Grace" } };
      case "delete-user":
        return { path: "/delete-user", body: { password: textOf(call.password) } };
      default:
        return {
          path: paths[call.kind],
          body: "person" in call ? { userId: somebody(call.person).id } : {},
        };
    }
  };
  /** Remembers who was signed in by an answer. */
  const note = (call: SessionCall, { body, headers }: Reply<{ token?: string | null }>): void => {
    if (call.kind === "change-password") passwords.set(deviceOf(call.by).person, call.to);
    if (call.kind !== "sign-in" && call.kind !== "change-password") return;
    if (!body.token) return;
    const former = call.kind === "sign-in" ? undefined : deviceOf(call.by);
    const person = call.kind === "sign-in" ? call.person : (former?.person ?? "");
    const device = { token: body.token, person, cookies: new Map(former?.cookies) };
    keepCookies(device, headers);
    devices.set(call.session, device);
  };
  const send = async (call: SessionCall, replica: number): Promise<string> => {
    const base = house.gateways[replica] ?? "";
    if (call.kind === "look") {
      const { isAlive, isCopied } = await lookWith(base, deviceOf(call.session), true);
      if (isCopied) onCopy();
      return `200 ${isAlive ? "alive" : "nobody"}`;
    }
    const { path, body } = requestOf(call);
    const isOwn = "by" in call;
    const cookie = isOwn ? cookieHeader(deviceOf(call.by).cookies, true) : admin.cookie;
    const headers = call.kind === "sign-in" ? {} : { cookie };
    const reply = await ask<{ token?: string | null }>(`${base}${path}`, headers, body);
    if (isOwn && call.kind !== "change-password") keepCookies(deviceOf(call.by), reply.headers);
    if (reply.said === "200") note(call, reply);
    // Everybody has a password until they are gone.
    return reply.said === "400 CREDENTIAL_ACCOUNT_NOT_FOUND" ? "401 UNAUTHORIZED" : reply.said;
  };
  const listed = async (base: string, person: string): Promise<string[]> => {
    const { body } = await ask<{ sessions: { token: string; expiresAt: string }[] }>(
      `${base}/admin/list-user-sessions`,
      { cookie: admin.cookie },
      { userId: somebody(person).id },
    );
    const live = body.sessions.filter(({ expiresAt }) => Date.parse(expiresAt) > Date.now());
    const tokens = new Set(live.map(({ token }) => token));
    const names = [...devices].flatMap(([name, { token }]) => (tokens.has(token) ? [name] : []));
    return names.toSorted();
  };
  let lookCount = 0;
  /** By whom it is seen alive: by a gateway that asks identity, and by each that may go by the copy. */
  const lookAt = async (device: Device) => {
    const asked = house.gateways[lookCount % replicaCount] ?? "";
    const byToken = await lookWith(asked, device, false);
    const byCopy = [];
    for (const base of house.gateways) byCopy.push(await lookWith(base, device, true));
    for (const { isCopied } of byCopy) if (isCopied) onCopy();
    return { byToken: byToken.isAlive, byCopy: byCopy.map(({ isAlive }) => isAlive) };
  };
  const look = async (heard: readonly number[]): Promise<View> => {
    lookCount += 1;
    const seen = [];
    const inOrder = [...devices].toSorted(([a], [b]) => (a < b ? -1 : 1));
    for (const [name, device] of inOrder) seen.push([name, await lookAt(device)] as const);
    const lists = [];
    for (const person of people.keys())
      lists.push(await listed(house.gateways[lookCount % replicaCount] ?? "", person));
    const known = (byCopy: readonly boolean[]) => heard.map((replica) => byCopy[replica]);
    return {
      now: {
        alive: seen.flatMap(([name, { byToken }]) => (byToken ? [name] : [])),
        toHeard: Object.fromEntries(seen.map(([name, { byCopy }]) => [name, known(byCopy)])),
        lists,
      },
      soon: Object.fromEntries(seen.map(([name, { byCopy }]) => [name, byCopy])),
    };
  };
  return { name: (one, id) => nameCall({ devices, passwords }, one, id), send, look };
};

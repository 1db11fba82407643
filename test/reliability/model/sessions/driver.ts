import { sendRequest, type Reply } from "../send-request.ts";
import type { Side, View } from "../check-model.ts";
import { type ModelSystem, replicaCount } from "../system.ts";
import { cookieHeaderOf, firstPassword, type Somebody } from "../users.ts";
import { type Device, keepCookies, lookWith, sessionIdOf } from "./devices.ts";
import { nameCall } from "./name-call.ts";
import { firstOf, type Picked } from "./picked.ts";
import type { SessionCall } from "./truth.ts";

const textOf = (password: number): string => firstPassword.replace(/0$/, String(password));

/** Address and content of a call. */
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
  system: ModelSystem;
  userNames: ReadonlyMap<string, Somebody>;
  admin: Somebody;
  /** Called for each answer from a cached session. */
  onCopy(): void;
}

/** Makes calls in sessions and on users, and reads what each device is shown everywhere. */
export const createDriver = async ({
  system,
  userNames,
  admin,
  onCopy,
}: Given): Promise<Side<Picked, SessionCall>> => {
  const devices = new Map<string, Device>();
  const addDevice = async (name: string, base: string, signedIn: Omit<Device, "id">) => {
    devices.set(name, { ...signedIn, id: await sessionIdOf(base, signedIn) });
  };
  for (const [person, { token, cookies }] of userNames) {
    const signedIn = { token, person, cookies: new Map(cookies) };
    await addDevice(firstOf(person), system.gateways[0] ?? "", signedIn);
  }
  const passwords = new Map<string, number>();
  const somebody = (person: string): Somebody => userNames.get(person) ?? admin;
  const deviceOf = (name: string): Device =>
    devices.get(name) ?? { id: "", token: "", person: "", cookies: new Map() };

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
  /** Records the device that an answer signs in. */
  const recordDevice = async (
    call: SessionCall,
    { body, headers }: Reply<{ token?: string | null }>,
    base: string,
  ): Promise<void> => {
    if (call.kind === "change-password") passwords.set(deviceOf(call.by).person, call.to);
    if (call.kind !== "sign-in" && call.kind !== "change-password") return;
    if (!body.token) return;
    const former = call.kind === "sign-in" ? undefined : deviceOf(call.by);
    const person = call.kind === "sign-in" ? call.person : (former?.person ?? "");
    const device = { token: body.token, person, cookies: new Map(former?.cookies) };
    keepCookies(device, headers);
    await addDevice(call.session, base, device);
  };
  const send = async (call: SessionCall, replica: number): Promise<string> => {
    const base = system.gateways[replica] ?? "";
    if (call.kind === "look") {
      const { isAlive, isCopied } = await lookWith(base, deviceOf(call.session), true);
      if (isCopied) onCopy();
      return `200 ${isAlive ? "alive" : "nobody"}`;
    }
    const { path, body } = requestOf(call);
    const isOwn = "by" in call;
    const cookie = isOwn ? cookieHeaderOf(deviceOf(call.by).cookies, true) : admin.cookie;
    const headers = call.kind === "sign-in" ? {} : { cookie };
    const reply = await sendRequest<{ token?: string | null }>(`${base}${path}`, headers, body);
    if (isOwn && call.kind !== "change-password") keepCookies(deviceOf(call.by), reply.headers);
    if (reply.said === "200") await recordDevice(call, reply, base);
    // Every user has a password until the deletion.
    return reply.said === "400 CREDENTIAL_ACCOUNT_NOT_FOUND" ? "401 UNAUTHORIZED" : reply.said;
  };
  const listed = async (base: string, person: string): Promise<string[]> => {
    const { body } = await sendRequest<{ sessions: { id: string; expiresAt: string }[] }>(
      `${base}/admin/list-user-sessions`,
      { cookie: admin.cookie },
      { userId: somebody(person).id },
    );
    const live = body.sessions.filter(({ expiresAt }) => Date.parse(expiresAt) > Date.now());
    const names = new Map([...devices].map(([name, { id }]) => [id, name]));
    return live.map(({ id }) => names.get(id) ?? `unknown ${id}`).toSorted();
  };
  let lookCount = 0;
  /**
   * Returns where the session is accepted: by a gateway that calls identity, and by each gateway that may use the cached session.
   */
  const lookAt = async (device: Device) => {
    const gateway = system.gateways[lookCount % replicaCount] ?? "";
    const byToken = await lookWith(gateway, device, false);
    const byCopy = [];
    for (const base of system.gateways) byCopy.push(await lookWith(base, device, true));
    for (const { isCopied } of byCopy) if (isCopied) onCopy();
    return { byToken: byToken.isAlive, byCopy: byCopy.map(({ isAlive }) => isAlive) };
  };
  const look = async (heard: readonly number[]): Promise<View> => {
    lookCount += 1;
    const seen = [];
    const inOrder = [...devices].toSorted(([a], [b]) => (a < b ? -1 : 1));
    for (const [name, device] of inOrder) seen.push([name, await lookAt(device)] as const);
    const lists = [];
    for (const person of userNames.keys())
      lists.push(await listed(system.gateways[lookCount % replicaCount] ?? "", person));
    const atHeard = (byCopy: readonly boolean[]) => heard.map((replica) => byCopy[replica]);
    return {
      now: {
        alive: seen.flatMap(([name, { byToken }]) => (byToken ? [name] : [])),
        toHeard: Object.fromEntries(seen.map(([name, { byCopy }]) => [name, atHeard(byCopy)])),
        lists,
      },
      soon: Object.fromEntries(seen.map(([name, { byCopy }]) => [name, byCopy])),
    };
  };
  return { name: (one, id) => nameCall({ devices, passwords }, one, id), send, look };
};

import { queryDatabase } from "../system/census.ts";
import type { System } from "../system/open-system.ts";

/** Session cookies for sending hostile requests with permissions. */
export interface Users {
  /** Returns a Cookie header, or an empty text for "nobody". */
  cookieOf(who: Who): string;
  /** Signs in again after a request has ended the session. */
  renew(who: Who): Promise<void>;
  /** Ids that exist only in the running system. */
  ids: Readonly<Record<string, string>>;
}

export type Who = "nobody" | "user" | "admin";

const password = "correct horse battery";

const post = async (system: System, path: string, body: object, cookie = "") => {
  const answer = await fetch(`${system.origin}/api/auth${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  const set = answer.headers.getSetCookie().map((line) => line.split(";")[0]);
  return { cookie: set.join("; "), body: JSON.parse(text) as Record<string, unknown> };
};

let count = 0;

/** Signs up a new user and returns the session. */
const signUp = async (system: System) => {
  const email = `somebody-${(count += 1)}@example.com`;
  const { cookie, body } = await post(system, "/sign-up/email", { name: "Ada", email, password });
  return { email, cookie, userId: (body["user"] as { id: string }).id };
};

const signUpAsOwner = async (system: System) => {
  const person = await signUp(system);
  const slug = `organization-${count}`;
  const organization = await post(
    system,
    "/organization/create",
    { name: "Ours", slug },
    person.cookie,
  );
  const key = await post(system, "/api-key/create", {}, person.cookie);
  const ids = {
    userId: person.userId,
    organizationId: String(organization.body["id"]),
    keyId: String(key.body["id"]),
  };
  return { ...person, ids, key: String(key.body["key"]) };
};

const signUpAsAdmin = async (system: System) => {
  const { email, userId } = await signUp(system);
  await queryDatabase(system.stores, `update identity."user" set role = 'admin' where id = $1`, [
    userId,
  ]);
  return post(system, "/sign-in/email", { email, password });
};

export const inviteUsers = async (system: System): Promise<Users & { key: string }> => {
  const owner = await signUpAsOwner(system);
  const cookies: Record<Who, string> = {
    nobody: "",
    user: owner.cookie,
    admin: (await signUpAsAdmin(system)).cookie,
  };
  return {
    ids: owner.ids,
    key: owner.key,
    cookieOf: (who) => cookies[who],
    renew: async (who) => {
      if (who === "user") cookies.user = (await signUpAsOwner(system)).cookie;
      if (who === "admin") cookies.admin = (await signUpAsAdmin(system)).cookie;
    },
  };
};

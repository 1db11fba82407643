import { askDatabase } from "../house/census.ts";
import type { House } from "../house/open-house.ts";

/** Cookies of somebody, to send hostile requests with rights. */
export interface People {
  /** A Cookie header; empty for nobody. */
  cookieOf(who: Who): string;
  /** Signs in anew whoever has lost the session by what was asked. */
  renew(who: Who): Promise<void>;
  /** Ids that only a running house knows. */
  known: Readonly<Record<string, string>>;
}

export type Who = "nobody" | "user" | "admin";

const password = "correct horse battery";

const ask = async (house: House, path: string, body: object, cookie = "") => {
  const answer = await fetch(`${house.origin}/api/auth${path}`, {
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

/** Somebody new with a session. */
const signUp = async (house: House) => {
  const email = `somebody-${(count += 1)}@example.com`;
  const { cookie, body } = await ask(house, "/sign-up/email", { name: "Ada", email, password });
  return { email, cookie, userId: (body["user"] as { id: string }).id };
};

const signUpAsOwner = async (house: House) => {
  const person = await signUp(house);
  const slug = `organization-${count}`;
  const organization = await ask(
    house,
    "/organization/create",
    { name: "Ours", slug },
    person.cookie,
  );
  const key = await ask(house, "/api-key/create", {}, person.cookie);
  const known = {
    userId: person.userId,
    organizationId: String(organization.body["id"]),
    keyId: String(key.body["id"]),
  };
  return { ...person, known, key: String(key.body["key"]) };
};

const signUpAsAdmin = async (house: House) => {
  const { email, userId } = await signUp(house);
  await askDatabase(house.stores, `update identity."user" set role = 'admin' where id = $1`, [
    userId,
  ]);
  return ask(house, "/sign-in/email", { email, password });
};

export const invitePeople = async (house: House): Promise<People & { key: string }> => {
  const owner = await signUpAsOwner(house);
  const cookies: Record<Who, string> = {
    nobody: "",
    user: owner.cookie,
    admin: (await signUpAsAdmin(house)).cookie,
  };
  return {
    known: owner.known,
    key: owner.key,
    cookieOf: (who) => cookies[who],
    renew: async (who) => {
      if (who === "user") cookies.user = (await signUpAsOwner(house)).cookie;
      if (who === "admin") cookies.admin = (await signUpAsAdmin(house)).cookie;
    },
  };
};

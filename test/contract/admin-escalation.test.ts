import { expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Stack, startStack } from "../stack.ts";
import { adminConfig, askAs, opens, signUpAs } from "./admin-people.ts";
import { newEmail, password, refusal, seen } from "./identity-people.ts";
import { askForMail, getMail, mailsOf } from "./mail-people.ts";

expectNoLeaks("file");

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({
    stores: "postgres",
    config: {
      ...adminConfig,
      admin: {
        roles: {
          admin: {
            user: ["create", "set-role", "set-password", "impersonate"],
            session: ["list"],
            delivery: ["list", "read"],
          },
          user: {},
          creator: { user: ["create"] },
          lister: { session: ["list"] },
          resetter: { user: ["set-password"] },
          reader: { delivery: ["list", "read"] },
        },
      },
    },
  });
});
afterAll(() => stack.stop());

/** Attack: somebody with one small permission makes themself an admin by it. */
test.each(["admin", "user,admin", "lister"])(
  "whoever may create users, but give no roles, creates nobody with the role %s",
  async (role) => {
    const creator = await signUpAs(stack, "creator");
    const person = { email: newEmail(), password, name: "Eve" };
    const refused = refusal(
      403,
      "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE",
      "You are not allowed to change users role",
    );
    expect(await askAs(creator, "/create-user", { ...person, role })).toEqual(refused);
    for (const data of [{ role }, { role, emailVerified: true }])
      for (const beside of [{}, { role: "user" }])
        expect(await askAs(creator, "/create-user", { ...person, ...beside, data })).toEqual(
          refused,
        );
    const harmless = { ...person, role, data: { role: "user" } };
    expect(await askAs(creator, "/create-user", harmless)).toMatchObject({
      status: 200,
      body: { user: { role: "user" } },
    });
  },
);

/** Attack: an address that is somebody else's counts as verified, so that what is offered to it is taken; or nobody can use it. */
test.each([
  ["emailVerified", "YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS", "You are not allowed to update users"],
  ["banned", "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS", "You are not allowed to ban users"],
] as const)(
  "whoever may create users, and nothing else, sets %s of none",
  async (member, code, message) => {
    const creator = await signUpAs(stack, "creator");
    const person = { email: newEmail(), password, name: "Eve" };
    const create = (value: boolean) =>
      askAs(creator, "/create-user", { ...person, data: { [member]: value } });
    expect(await create(true)).toEqual(refusal(403, code, message));
    expect((await create(false)).status).toBe(200);
  },
);

/** Attack: the token of an admin's session opens it. */
test("whoever may list sessions, but is no admin, is shown none of an admin", async () => {
  const [lister, admin, user] = await Promise.all(
    ["lister", "admin", "user"].map((role) => signUpAs(stack, role)),
  );
  expect(await askAs(lister!, "/list-user-sessions", { userId: admin!.user.id })).toEqual(
    refusal(
      403,
      "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS",
      "You are not allowed to list users sessions",
    ),
  );
  for (const [by, of] of [
    [lister!, user!],
    [admin!, admin!],
  ] as const)
    expect((await askAs(by, "/list-user-sessions", { userId: of.user.id })).status).toBe(200);
});

/** Attack: an admin's account is taken over by a new password. */
test("whoever may set passwords, but is no admin, sets none of an admin", async () => {
  const [resetter, admin, user] = await Promise.all(
    ["resetter", "admin", "user"].map((role) => signUpAs(stack, role)),
  );
  const newPassword = "another horse battery";
  expect(
    await askAs(resetter!, "/set-user-password", { userId: admin!.user.id, newPassword }),
  ).toEqual(
    refusal(
      403,
      "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD",
      "You are not allowed to set users password",
    ),
  );
  expect(await opens(stack, admin!.token)).toBe(true);
  const set = await askAs(resetter!, "/set-user-password", { userId: user!.user.id, newPassword });
  expect(set.status).toBe(200);
});

/** Attack: a new password is asked for in an admin's name, and the link is read among the mails. */
test("whoever may read mails, but is no admin, reads no link, be it an admin's or a user's", async () => {
  const [reader, admin, user] = await Promise.all(
    ["reader", "admin", "user"].map((role) => signUpAs(stack, role)),
  );
  for (const person of [admin!, user!]) {
    await askForMail(person);
    const [mail] = await mailsOf(reader!, person.email, "sent");
    const { links } = await stack.smtp.waitForMail(person.email);
    const shown = await getMail(reader!, mail!.id);
    expect(shown).toStrictEqual({ ...mail, text: null, html: null, link: null, isWithheld: true });
    expect(await getMail(admin!, mail!.id)).toMatchObject({ link: links[0], isWithheld: false });
  }
});

test("signing out of an impersonation ends the admin's own session too, which nobody could reach any more", async () => {
  const [admin, user] = await Promise.all(["admin", "user"].map((role) => signUpAs(stack, role)));
  expect((await askAs(admin!, "/impersonate-user", { userId: user!.user.id })).status).toBe(200);
  expect((await seen(await admin!.browser.post("/sign-out"))).status).toBe(200);
  expect([...admin!.browser.cookies.keys()]).toEqual([]);
  expect(await opens(stack, admin!.token)).toBe(false);
  expect(await opens(stack, user!.token)).toBe(true);
});

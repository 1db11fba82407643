import { createHashPool, verifyPassword } from "@latchkey/crypto";
import { describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { matrix } from "../harness/matrix.ts";
import { useSystem } from "../harness/use-system.ts";

describe.each(matrix("postgres", "redis"))("with sessions in %s", (stores) => {
  const { system, rows } = useSystem({ stores, passwords: "real" });

  test("a user signs up with a password that is stored as salted scrypt, verifies the mailed address, signs in on two devices and signs out on both", async () => {
    const phone = createBrowserLike(system.url);
    const email = "ada@example.com";
    const password = "correct horse battery";
    const signedUp = await phone.post("/sign-up/email", { name: "Ada", email, password });
    expect(signedUp.status).toBe(200);
    expect(phone.cookies.has("auth.session_token")).toBe(true);
    const [account] = await rows.query("select provider_id, password from identity.account");
    expect(account).toEqual({
      provider_id: "credential",
      password: expect.stringMatching(/^\$scrypt\$ln=14,r=16,p=1\$[^$]{22}\$[^$]{86}$/) as string,
    });
    const pool = createHashPool({ concurrency: 1, queueMax: 1 });
    expect(await verifyPassword(pool, String(account?.["password"]), password)).toBe(true);

    expect((await phone.post("/send-verification-email", { email })).status).toBe(200);
    const mail = await system.smtp.waitForMail(email);
    const opened = await phone.get(mail.links[0]!.slice(system.url.length));
    expect([opened.status, opened.headers.get("location")]).toEqual([302, "/"]);
    const seen = (await (await phone.get("/get-session")).json()) as { user: object };
    expect(seen.user).toMatchObject({ email, emailVerified: true });

    const laptop = createBrowserLike(system.url);
    expect((await laptop.post("/sign-in/email", { email, password })).status).toBe(200);
    const listed = (await (await laptop.get("/list-sessions")).json()) as { token: string }[];
    expect(listed).toHaveLength(2);

    expect((await laptop.post("/revoke-other-sessions")).status).toBe(200);
    expect(await (await phone.get("/get-session")).json()).toBeNull();
    expect(phone.cookies.size).toBe(0);
    expect((await laptop.post("/sign-out")).status).toBe(200);
    expect(laptop.cookies.size).toBe(0);
  });
});

import { until } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { matrix } from "../harness/matrix.ts";
import { useSystem } from "../harness/use-system.ts";
import { signUp } from "../harness/users.ts";

const serviceToken = "the token of a service that takes keys";

interface Verdict {
  valid: boolean;
  error: { code: string; message: string } | null;
  key: { userId: string; name: string | null } | null;
}

interface Usage {
  days: { valid: number; disabled: number }[];
}

describe.each(matrix("redis", "postgres"))("with sessions in %s", (stores) => {
  const { system } = useSystem({ stores, config: { serviceTokens: { reports: serviceToken } } });

  const answer = async <Body = unknown>(response: Response): Promise<Body> => {
    expect(response.status, response.url).toBe(200);
    return (await response.json()) as Body;
  };
  /** Verifies a key that a script has sent, as a service of the application does. */
  const verify = async (key: string): Promise<Verdict> =>
    answer(
      await fetch(`${system.urlOf("apikey")}/internal/api-key/verify`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${serviceToken}` },
        body: JSON.stringify({ key }),
      }),
    );

  test("a user gives a script a key, sees its usage, and revokes it", async () => {
    const { browser, user } = await signUp(system);
    const { id, key } = await answer<{ id: string; key: string }>(
      await browser.post("/api-key/create", { name: "Nightly report", prefix: "acme_" }),
    );
    // The list contains no usable keys, because their text is shown only once.
    const listed = await answer(await browser.get("/api-key/list"));
    expect(listed).toMatchObject([{ id, name: "Nightly report", start: key.slice(0, 6) }]);
    expect(JSON.stringify(listed)).not.toContain(key);

    for (const _ of ["Monday", "Tuesday"])
      expect(await verify(key)).toMatchObject({
        valid: true,
        key: { userId: user.id, name: "Nightly report" },
      });
    const usage = async () => {
      const { days } = await answer<Usage>(await browser.get(`/api-key/usage?id=${id}`));
      const sum = (name: keyof Usage["days"][number]) =>
        days.reduce((total, counts) => total + counts[name], 0);
      return { valid: sum("valid"), disabled: sum("disabled") };
    };
    await until(async () => (await usage()).valid === 2);

    await answer(await browser.post("/api-key/update", { keyId: id, enabled: false }));
    const refused = await verify(key);
    expect([refused.valid, refused.error?.code]).toEqual([false, "KEY_DISABLED"]);
    await until(async () => (await usage()).disabled === 1);

    await answer(await browser.post("/api-key/delete", { keyId: id }));
    expect((await verify(key)).error?.code).toBe("INVALID_API_KEY");
    expect(await answer(await browser.get("/api-key/list"))).toEqual([]);
    expect(await usage()).toEqual({ valid: 2, disabled: 1 });
  });
});

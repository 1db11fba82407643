import { until } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { type BrowserLike, createBrowserLike } from "../harness/browser-like.ts";
import { matrix } from "../harness/matrix.ts";
import { useSystem } from "../harness/use-system.ts";
import { password, signUp } from "../harness/users.ts";

const acceptPage = "https://app.example.com/join/{id}?email={email}";

describe.each(matrix("postgres", "redis"))("with sessions in %s", (stores) => {
  const { system } = useSystem({
    stores,
    config: { organization: { acceptInvitationURL: acceptPage } },
  });

  const answer = async <Body = unknown>(response: Response): Promise<Body> => {
    expect(response.status, response.url).toBe(200);
    return (await response.json()) as Body;
  };
  const activeOrganization = async (browser: BrowserLike) => {
    const seen = await answer<{ session: { activeOrganizationId: string | null } }>(
      await browser.get("/get-session"),
    );
    return seen.session.activeOrganizationId;
  };

  test("a founder invites a user without an account, who joins by the mail, becomes the owner and closes the organization", async () => {
    const { browser: founder } = await signUp(system, { email: "ada@example.com" });
    const { id: organizationId } = await answer<{ id: string }>(
      await founder.post("/organization/create", { name: "Acme", slug: "acme" }),
    );
    expect(await activeOrganization(founder)).toBe(organizationId);

    // The mail links to a page of the application, whose URL contains the invitation and the address.
    const email = "grace@example.com";
    await answer(await founder.post("/organization/invite-member", { email, role: "member" }));
    const { links, text } = await system.smtp.waitForMail(email);
    expect(text).toContain("Ada (ada@example.com) invites you to join Acme");
    const page = new URL(links[0] ?? "");
    expect([page.origin, page.searchParams.get("email")]).toEqual([
      "https://app.example.com",
      email,
    ]);
    const invitationId = page.pathname.split("/").at(-1) ?? "";
    const offer = `/organization/get-invitation?id=${invitationId}`;
    expect((await createBrowserLike(system.url).get(offer)).status).toBe(401);

    const { browser: guest } = await signUp(system, { name: "Grace", email });
    expect(await answer(await guest.get(offer))).toMatchObject({
      organizationName: "Acme",
      inviterEmail: "ada@example.com",
      role: "member",
    });
    const joined = await answer<{ member: { id: string } }>(
      await guest.post("/organization/accept-invitation", { invitationId }),
    );
    const memberId = joined.member.id;
    expect(await activeOrganization(guest)).toBe(organizationId);

    const rename = (browser: BrowserLike, name: string) =>
      browser.post("/organization/update", { data: { name } });
    expect((await rename(guest, "Grace & Co.")).status).toBe(403);
    const promote = (role: string) =>
      founder.post("/organization/update-member-role", { memberId, role });
    await answer(await promote("admin"));
    expect(await answer(await rename(guest, "Acme & Co."))).toMatchObject({ name: "Acme & Co." });
    const close = () => guest.post("/organization/delete", { organizationId });
    expect((await close()).status).toBe(403);

    const leave = () => founder.post("/organization/leave", { organizationId });
    const refused = await leave();
    expect([refused.status, await refused.json()]).toEqual([
      400,
      {
        code: "YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER",
        message: "You cannot leave the organization as the only owner",
      },
    ]);
    await answer(await promote("owner"));
    await answer(await leave());
    expect(await activeOrganization(founder)).toBeNull();
    expect(await answer(await founder.get("/organization/list"))).toEqual([]);

    // Another device of the remaining owner uses the organization too, until it is deleted.
    const laptop = createBrowserLike(system.url);
    await answer(await laptop.post("/sign-in/email", { email, password }));
    await answer(await laptop.post("/organization/set-active", { organizationSlug: "acme" }));
    expect(await answer(await close())).toMatchObject({ id: organizationId, slug: "acme" });
    expect(await activeOrganization(guest)).toBeNull();
    await until(async () => (await activeOrganization(laptop)) === null);
    expect(await answer(await laptop.get("/organization/list"))).toEqual([]);
    await answer(await founder.post("/organization/check-slug", { slug: "acme" }));
  });
});

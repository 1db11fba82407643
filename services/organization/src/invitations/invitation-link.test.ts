import { expect, test } from "vitest";
import { invitationLink } from "./invitation-link.ts";

const invitation = { id: "i1", email: "ada+x@example.com" };
const baseUrl = "https://auth.example.com/api/auth";

test.each([
  ["{origin}/accept-invitation/{id}", "https://auth.example.com/accept-invitation/i1"],
  ["https://app.example.com/join?id={id}", "https://app.example.com/join?id=i1"],
  ["/{id}?to={email}&again={id}", "/i1?to=ada%2Bx%40example.com&again=i1"],
  ["myapp://join", "myapp://join"],
])("%s leads to %s", (template, url) => {
  expect(invitationLink(template, invitation, baseUrl)).toBe(url);
});

/** Attack: an address that adds to the link that a mail leads to. */
test("what is put into the link stays text in it", () => {
  const email = "x&admin=1#{id}$&/../@example.com";
  const url = invitationLink("{origin}/join?to={email}", { id: "a/b?c", email }, baseUrl);
  expect(new URL(url).searchParams.get("to")).toBe(email);
  expect([...new URL(url).searchParams.keys()]).toEqual(["to"]);
  expect(invitationLink("{origin}/{id}", { id: "a/b?c", email }, baseUrl)).toBe(
    "https://auth.example.com/a%2Fb%3Fc",
  );
});

import { expect, test } from "vitest";
import { invitationLink } from "./mail-invitation.ts";

const invitation = { id: "i1", email: "ada+x@example.com", proof: "v1.a+b" };
const urls = { baseUrl: "https://auth.example.com/api/auth", application: undefined };

test.each([
  ["{origin}/accept-invitation/{id}", "https://auth.example.com/accept-invitation/i1"],
  ["https://app.example.com/join?id={id}", "https://app.example.com/join?id=i1"],
  ["/{id}?to={email}&again={id}", "/i1?to=ada%2Bx%40example.com&again=i1"],
  ["/{id}?proof={proof}", "/i1?proof=v1.a%2Bb"],
  ["myapp://join", "myapp://join"],
])("%s leads to %s", (template, url) => {
  expect(invitationLink(template, invitation, urls)).toBe(url);
});

test.each([
  ["https://app.example.com", "https://app.example.com/join/i1"],
  ["https://app.example.com/team/", "https://app.example.com/team/join/i1"],
  [undefined, "https://auth.example.com/join/i1"],
])("replaces {app} for the application at %s with %s", (application, url) => {
  expect(invitationLink("{app}/join/{id}", invitation, { ...urls, application })).toBe(url);
});

/** Attack: an inviter's values change the URL in the mail. */
test("encodes values so that they cannot change the link", () => {
  const email = "x&admin=1#{id}$&/../@example.com";
  const url = invitationLink("{origin}/join?to={email}", { id: "a/b?c", email }, urls);
  expect(new URL(url).searchParams.get("to")).toBe(email);
  expect([...new URL(url).searchParams.keys()]).toEqual(["to"]);
  expect(invitationLink("{origin}/{id}", { id: "a/b?c", email }, urls)).toBe(
    "https://auth.example.com/a%2Fb%3Fc",
  );
});

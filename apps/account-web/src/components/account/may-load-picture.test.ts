import { expect, test } from "vitest";
import { mayLoadPicture } from "./may-load-picture.ts";

const own = "https://auth.example.com";
const images = "https://images.example.com";
const places = { pictureOrigins: [images], ownOrigin: own, basePath: "/api/auth" };

test("loads a picture of a listed origin", () => {
  expect(mayLoadPicture(`${images}/ada.png?size=9`, places)).toBe(true);
});

/** Attack: a member chooses a picture that makes the browsers of others send requests, with their session or to a server of the member. */
test.each([
  `${own}/api/auth/magic-link/verify?token=a`,
  `${own}/ada.png`,
  "https://evil.example/ada.png",
  "http://images.example.com/ada.png",
  `${images}:8443/ada.png`,
  `${images}@evil.example/ada.png`,
  "/api/auth/magic-link/verify?token=a",
  "data:image/png;base64,AAAA",
  "",
])("does not load the picture %j", (address) => {
  expect(mayLoadPicture(address, places)).toBe(false);
});

test("loads pictures of our own origin if it is listed, but no operation", () => {
  const listed = { ...places, pictureOrigins: [own] };
  expect(mayLoadPicture(`${own}/uploads/ada.png`, listed)).toBe(true);
  for (const path of ["/api/auth/magic-link/verify?token=a", "/uploads/../api/auth/ok"])
    expect(mayLoadPicture(own + path, listed)).toBe(false);
});

const hash = "a".repeat(43);

test.each([`${own}/api/auth/picture/${hash}`, `${own}/api/auth/organization/picture/${hash}`])(
  "loads the uploaded picture %s",
  (address) => {
    expect(mayLoadPicture(address, places)).toBe(true);
  },
);

test.each([
  `https://evil.example/api/auth/picture/${hash}`,
  `${own}/picture/${hash}`,
  `${own}/api/auth/picture/${hash}?token=a`,
  `${own}/api/auth/picture/${hash}a`,
  `${own}/api/auth/picture/${hash}/../../ok`,
  `${own}/api/auth/picture/short`,
])("does not take %j for an uploaded picture", (address) => {
  expect(mayLoadPicture(address, places)).toBe(false);
});

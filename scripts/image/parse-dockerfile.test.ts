import { expect, test } from "vitest";
import { parseDockerfile } from "./parse-dockerfile.ts";

const stages = parseDockerfile(`
# first
ARG VERSION=1.2
FROM node:\${VERSION}-slim AS base
WORKDIR /app

FROM base
COPY --from=base /a \\
  # not this
  /b
RUN --mount=type=cache,target=/c echo \${HOME} && \\
    true
ENTRYPOINT ["node", "a b"]
`);

test("stages have their names, or their numbers, and what they are from", () => {
  expect(stages.map(({ name, from }) => [name, from])).toEqual([
    ["base", "node:1.2-slim"],
    ["1", "base"],
  ]);
});

test("instructions are read with their flags and words, and what a shell reads is left to it", () => {
  expect(stages[1]?.instructions).toEqual([
    { keyword: "COPY", flags: { from: "base" }, text: "/a /b", words: ["/a", "/b"] },
    {
      keyword: "RUN",
      flags: { mount: "type=cache,target=/c" },
      text: "echo ${HOME} && true",
      words: ["echo", "${HOME}", "&&", "true"],
    },
    { keyword: "ENTRYPOINT", flags: {}, text: '["node", "a b"]', words: ["node", "a b"] },
  ]);
});

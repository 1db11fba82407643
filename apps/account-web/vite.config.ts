import { webConfig } from "@latchkey/ui/web-config";
import { defineConfig } from "vite";

/** Steps that few visits to the sign-in page need load when they are shown. */
const laterSteps =
  "additional-fields/(?!lacks-fields)|confirm-claim|phone/|second-factor/|verification/(?!send-|use-credentials)";

const formParts = new RegExp(
  [
    "react-hook-form",
    "lucide-react/dist/esm/(?!icons/)",
    "lucide-react/dist/esm/icons/(?:key-round|mail|smartphone|eye|eye-off|info|circle-alert|circle-check|triangle-alert)\\.",
    `account-web/src/components/(?!account/|api-keys/|organizations/|scope-list|webhooks/|${laterSteps})`,
    "account-web/src/(?:session/(?!device-sessions|use-sign-out)|screens/sign-in/use-ways)",
    "libs/ui/src/(?:api/(?!application-events|again-every|use-operation)|passkeys/|errors/|form/)",
    "libs/ui/src/components/(?:button|email-rule|fields|logo|notice|password|signed-out-page|spinner|input-style|class-names)",
  ].join("|"),
);

const screenParts = new RegExp(
  [
    "account-web/src/components/(?:account/(?!second-factor/)|organizations/|scope-list)",
    "account-web/src/session/(?:device-sessions|use-sign-out)",
    "libs/ui/src/(?:api/use-operation|save-file|components/use-now)",
    "libs/ui/src/components/(?:badge|card|dialog|empty-state|skeleton|toasts)",
    "lucide-react/dist/esm/icons/",
  ].join("|"),
);

/** One file for the later steps: a sign-in that needs one of them often needs a second. */
const stepParts = new RegExp(
  [
    `account-web/src/components/(?:account/second-factor/|${laterSteps})`,
    "libs/ui/src/components/code-field",
    "account-web/src/screens/(?:complete-profile|confirm|error|outcome)/[^/]+-screens?\\.",
  ].join("|"),
);

/** Few files of some size: on a slow network each request costs more than a few kilobytes that a screen does not need. */
export default defineConfig(
  webConfig({
    web: "account",
    root: import.meta.dirname,
    chunkGroups: [
      // The parts of forms, which the sign-in page shares with other screens. Many small files would compress worse.
      {
        name: "forms",
        test: formParts,
        minShareCount: 2,
        priority: 4,
        isCalledOnLoad: true,
      },
      { name: "steps", test: stepParts, priority: 3 },
      // The parts of the screens for signed-in users. The main file names every file, so that few of them keep it small, too.
      { name: "parts", test: screenParts, minShareCount: 2, priority: 2 },
    ],
  }),
);

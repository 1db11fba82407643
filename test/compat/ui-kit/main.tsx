import { apiKeyClient } from "@better-auth/api-key/client";
import { passkeyClient } from "@better-auth/passkey/client";
import {
  AccountView,
  AcceptInvitationCard,
  AuthUIProvider,
  AuthView,
  OrganizationView,
  SignedIn,
  SignedOut,
  UserButton,
} from "@daveyplate/better-auth-ui";
import {
  magicLinkClient,
  organizationClient,
  twoFactorClient,
  usernameClient,
} from "better-auth/client/plugins";
import { createAuthClient } from "better-auth/react";
import { createRoot } from "react-dom/client";
import { Toaster } from "sonner";

const authClient = createAuthClient({
  baseURL: import.meta.env.VITE_LATCHKEY_URL,
  plugins: [
    usernameClient(),
    magicLinkClient(),
    twoFactorClient(),
    passkeyClient(),
    apiKeyClient(),
    organizationClient({ teams: { enabled: true }, dynamicAccessControl: { enabled: true } }),
  ],
});
// The kit has no screen that makes roles. A test makes them with the client of the page.
Object.assign(window, { authClient });

const [, area, path] = location.pathname.split("/");

const Area = () => {
  if (area === "auth") return <AuthView path={path} />;
  if (area === "account") return <AccountView path={path} showTeams />;
  if (area === "organization") return <OrganizationView path={path} />;
  if (area === "invitation") return <AcceptInvitationCard />;
  return (
    <>
      <SignedIn>
        <p>Signed in.</p>
        <UserButton />
      </SignedIn>
      <SignedOut>
        <p>Signed out.</p>
      </SignedOut>
    </>
  );
};

const root = document.getElementById("root");
if (!root) throw new TypeError("the page has no root element");
createRoot(root).render(
  <AuthUIProvider
    authClient={authClient}
    navigate={(to: string) => location.assign(to)}
    replace={(to: string) => location.replace(to)}
    credentials={{ username: true }}
    magicLink
    passkey
    twoFactor={["totp"]}
    apiKey
    organization={{ customRoles: [{ role: "lead", label: "Lead" }] }}
    teams
    deleteUser
    account={{ basePath: "/account" }}
  >
    <Area />
    <Toaster />
  </AuthUIProvider>,
);

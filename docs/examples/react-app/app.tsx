import {
  OrganizationSwitcher,
  SignedIn,
  SignedOut,
  SignInButton,
  UserButton,
  useSession,
} from "@latchkey/react";
import { Notes } from "./notes.tsx";

/** The page: its header depends on the session, and its content on the user and the active organization. */
export const App = () => {
  const { status, user, session, refresh } = useSession();
  return (
    <>
      <header style={{ display: "flex", gap: "0.5rem", justifyContent: "end", margin: "1rem" }}>
        <SignedOut>
          <SignInButton />
        </SignedOut>
        <SignedIn>
          <OrganizationSwitcher />
          <UserButton />
        </SignedIn>
      </header>
      <main style={{ margin: "1rem" }}>
        <h1>Notes</h1>
        {status === "loading" && <p>One moment...</p>}
        {status === "signed-out" && <p>Sign in to see your notes.</p>}
        {status === "error" && (
          <p>
            You may be signed in, but that is not known now.{" "}
            <button type="button" onClick={() => void refresh()}>
              Try again
            </button>
          </p>
        )}
        {status === "signed-in" && (
          <Notes key={`${user.id} ${session.activeOrganizationId ?? ""}`} name={user.name} />
        )}
      </main>
    </>
  );
};

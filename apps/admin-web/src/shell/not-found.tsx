import { Link } from "@tanstack/react-router";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";

/** Shown for an unknown address. */
export const NotFound = () => (
  <EmptyState
    title="Page not found"
    action={
      <Link to="/" className={buttonStyle()}>
        Go to Home
      </Link>
    }
  >
    Check the URL.
  </EmptyState>
);

import { Link } from "@tanstack/react-router";
import { buttonStyle } from "../components/ui/button-style.ts";
import { EmptyState } from "../components/ui/empty-state.tsx";

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

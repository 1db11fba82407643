import "@latchkey/react/styles.css";
import { LatchkeyProvider } from "@latchkey/react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";

const url = import.meta.env["VITE_LATCHKEY_URL"] ?? "http://localhost:3000/api/auth";

createRoot(document.querySelector("#root") ?? document.body).render(
  <LatchkeyProvider url={url}>
    <App />
  </LatchkeyProvider>,
);

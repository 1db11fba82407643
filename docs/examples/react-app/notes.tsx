import { type FormEvent, useEffect, useState } from "react";

interface Note {
  id: string;
  text: string;
}

/** Calls the server of this application, to which the browser sends the session cookie. A text is added before. */
const callNotes = async (text?: string): Promise<readonly Note[]> => {
  const post = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text }),
  };
  const response = await fetch("/notes", text === undefined ? {} : post);
  if (!response.ok) throw new Error(`The server answered ${response.status}`);
  return ((await response.json()) as { notes: Note[] }).notes;
};

interface NotesProps {
  name: string;
}

const failure = "That did not work. Try again.";

/** The notes of the user in the active organization. */
export const Notes = ({ name }: NotesProps) => {
  const [notes, setNotes] = useState<readonly Note[]>([]);
  const [draft, setDraft] = useState("");
  const [problem, setProblem] = useState("");
  useEffect(() => {
    callNotes().then(setNotes, () => setProblem(failure));
  }, []);
  const add = async (event: FormEvent) => {
    event.preventDefault();
    try {
      setNotes(await callNotes(draft));
      setDraft("");
      setProblem("");
    } catch {
      setProblem(failure);
    }
  };
  return (
    <>
      <p>Hello {name}.</p>
      <ul aria-label="Notes">
        {notes.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
      <form onSubmit={(event) => void add(event)}>
        <label>
          New note{" "}
          <input value={draft} onChange={({ target }) => setDraft(target.value)} required />
        </label>{" "}
        <button type="submit">Add</button>
      </form>
      <p role="alert">{problem}</p>
    </>
  );
};

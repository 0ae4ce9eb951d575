import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { bookingSystemsQuery, poolsQuery, waiversQuery } from '../api/queries.ts';
import { Button } from '../components/button.tsx';
import { useSession } from '../session/session.tsx';
import { commandsFor, guestCommand } from './commands.ts';
import styles from './shell.module.css';

const isShortcut = ({ key, metaKey, ctrlKey }: KeyboardEvent) =>
  key.toLowerCase() === 'k' && (metaKey || ctrlKey);

const pauseMs = 300;
const minSearchLength = 2;
const maxGuests = 8;

/** A pool's waivers whose guest name or email address starts with the typed text, if the person may see guests. */
function useGuestsFound(typed: string, pool: string | undefined) {
  const { may } = useSession();
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const isSought = may('operator') && pool !== undefined && search.length >= minSearchLength;
  const { data } = useInfiniteQuery({ ...waiversQuery(pool ?? '', { search }), enabled: isSought });
  if (!isSought) return [];
  const found = data?.pages.flatMap(({ items }) => items) ?? [];
  return found.slice(0, maxGuests).map(guestCommand);
}

/** The command palette: opens a page or pool, or a booking, waiver or delivery by its id. */
export function CommandMenu() {
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const { data: pools = [] } = useQuery(poolsQuery);
  const { data: bookingSystems = [] } = useQuery({ ...bookingSystemsQuery, enabled: isOpen });
  const { may } = useSession();
  const { pool } = useSearch({ strict: false });
  const navigate = useNavigate();
  useEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
      event.preventDefault();
      setIsOpen((open) => !open);
    };
    window.addEventListener('keydown', toggle);
    return () => window.removeEventListener('keydown', toggle);
  }, []);
  const guests = useGuestsFound(typed, pool ?? (pools.length === 1 ? pools[0]?.id : undefined));
  const commands = [...commandsFor({ typed, pools, bookingSystems, pool, may }), ...guests];
  const close = () => {
    setIsOpen(false);
    setTyped('');
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => (open ? setIsOpen(true) : close())}>
      <Button className={styles.trigger ?? ''} onClick={() => setIsOpen(true)}>
        <SearchIcon />
        <span className="wide-only">Search</span>
        <kbd>Ctrl K</kbd>
      </Button>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className={styles.popup} aria-label="Search">
          <Autocomplete.Root
            open
            inline
            items={commands}
            value={typed}
            onValueChange={setTyped}
            itemToStringValue={({ label }: { label: string }) => label}
            filter={null}
            autoHighlight="always"
          >
            <Autocomplete.Input
              className={styles.input ?? ''}
              placeholder="Search pages, guests, ids or actions"
              autoFocus
            />
            <Autocomplete.List className={styles.commandMenuList ?? ''}>
              {commands.map((command) => (
                <Autocomplete.Item
                  key={command.key}
                  value={command}
                  className={styles.item ?? ''}
                  onClick={() => {
                    close();
                    void navigate(command.target);
                  }}
                >
                  {command.label}
                  <span className="muted">{command.hint}</span>
                </Autocomplete.Item>
              ))}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function SearchIcon() {
  return (
    <svg className={styles.icon} viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.5 10.5 4 4" />
    </svg>
  );
}

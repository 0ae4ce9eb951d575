import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { deskLinksQuery, formsQuery } from '../../api/queries.ts';
import { CheckInLinkItem, isUsable } from '../../components/check-in-link-item.tsx';
import { ListCard } from '../../components/loaded.tsx';
import { MakeLinkButton } from '../../components/make-link-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { useSession } from '../../session/session.tsx';
import { dayTexts } from '../../text/english/day.ts';
import { texts } from '../../text/english.ts';

/** The pool's desk links, with which guests sign without a booking. For operators. */
export function DeskLinks({ pool, name }: { readonly pool: string; readonly name: string }) {
  const { may } = useSession();
  const links = useQuery({ ...deskLinksQuery(pool), enabled: may('operator') });
  const { data: forms } = useQuery({ ...formsQuery(pool), enabled: may('operator') });
  if (!may('operator')) return null;
  const hasForm = forms?.some(({ published, archivedAt }) => published !== null && archivedAt === null);
  return (
    <ListCard
      title={texts.desk.title}
      actions={
        <MakeLinkButton
          size="small"
          label={texts.desk.make}
          pool={pool}
          place={{ desk: true }}
          title={texts.desk.linkTitle}
          lead={texts.desk.lead}
          heading={name}
        />
      }
      query={{ ...links, data: links.data?.filter(isUsable) }}
      none={texts.desk.none}
      noneHint={texts.desk.noneHint}
      item={(link) => <CheckInLinkItem key={link.id} pool={pool} link={link} title={texts.desk.link} />}
    >
      {hasForm === false ? (
        <Notice tone="warning" title={dayTexts.noForm}>
          <p>
            {texts.desk.noForm}{' '}
            <Link to="/forms" search={{ pool }}>
              {dayTexts.openForms}
            </Link>
          </p>
        </Notice>
      ) : null}
    </ListCard>
  );
}

import { useQuery } from '@tanstack/react-query';
import { deskLinksQuery } from '../../api/queries.ts';
import { CheckInLinkItem, isUsable } from '../../components/check-in-link-item.tsx';
import { ListCard } from '../../components/loaded.tsx';
import { MakeLinkButton } from '../../components/make-link-button.tsx';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';

/** The links of the pool's desk, where guests sign without a booking. For those who may see them. */
export function DeskLinks({ pool, name }: { readonly pool: string; readonly name: string }) {
  const { may } = useSession();
  const links = useQuery({ ...deskLinksQuery(pool), enabled: may('operator') });
  if (!may('operator')) return null;
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
    />
  );
}

import { Type } from 'typebox'
import type { Uses } from '../../../api/http/services.ts'
import { explorerBaseOf } from '../../../chain/client/public/explorer.ts'
import type { Vesting } from './store.ts'

export const VestingBody = Type.Object(
  {
    streamUrl: Type.String({ description: 'Where the stream is shown to everybody' }),
    streamId: Type.String({ description: 'Number of the stream in its lockup' }),
    keepBps: Type.Integer({ description: 'Ten-thousandths of the supply that the creator keeps' }),
  },
  { description: 'The stream that locks the kept part' },
)

type Site = Uses<'chain' | 'settings'>

/** The stream's public page: Sablier's for a stream of theirs, our own for one of the development chain. */
export function streamUrlOf(
  { chain, settings }: Site,
  { alias, streamId }: Pick<Vesting, 'alias' | 'streamId'>,
): string {
  if (alias !== null)
    return `https://app.sablier.com/vesting/stream/${alias}-${chain.chainId}-${streamId}`
  return `${explorerBaseOf(settings.network, settings)}/streams/${streamId}`
}

export const vestingBody = (site: Site, vesting: Vesting) => ({
  streamUrl: streamUrlOf(site, vesting),
  streamId: String(vesting.streamId),
  keepBps: vesting.keepBps,
})

import type { Route } from '../../api/http/route.ts'
import { ap2OlderRoutes } from './discovery/older-routes.ts'
import { ap2DiscoveryRoutes } from './discovery/routes.ts'
import { ap2InstrumentRoutes } from './keys/instruments-routes.ts'
import { ap2KeyRoutes } from './keys/routes.ts'
import { ap2CloseRoutes } from './mandates/close-routes.ts'
import { ap2OpenRoutes } from './mandates/open/routes.ts'
import { ap2MandateRoutes } from './mandates/routes.ts'
import { ap2ReceiptRoutes } from './receipts/routes.ts'
import { ap2SettleRoutes } from './settle/routes.ts'
import { ap2VerifyRoutes } from './settle/verify-routes.ts'

export const ap2Routes: Route[] = [
  ...ap2SettleRoutes,
  ...ap2ReceiptRoutes,
  ...ap2VerifyRoutes,
  ...ap2OpenRoutes,
  ...ap2CloseRoutes,
  ...ap2MandateRoutes,
  ...ap2KeyRoutes,
  ...ap2InstrumentRoutes,
  ...ap2DiscoveryRoutes,
  ...ap2OlderRoutes,
]

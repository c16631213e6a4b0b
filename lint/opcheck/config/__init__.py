"""Configuration: where it is, what it says, and what is wrong with it."""

from .error import ConfigError as ConfigError
from .load import CONFIGURATIONS as CONFIGURATIONS
from .load import configuration_in as configuration_in
from .load import load as load
from .load import nearest_configuration as nearest_configuration
from .load import unconfigured as unconfigured
from .settings import Settings as Settings
